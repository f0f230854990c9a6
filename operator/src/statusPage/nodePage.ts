import { type Html, html } from '@chain/platform/pages';
import { blockText, durationText } from './durationText.ts';
import { eventsTable, phaseClass, splitText } from './overviewPage.ts';
import type {
  ConditionRow,
  EventRow,
  MigrationView,
  NodeView,
  PastMigration,
  PhaseSpan,
} from './statusView.ts';

/** One node: its facts, its migration's timeline, its conditions and events. */
export function nodePage(node: NodeView, events: readonly EventRow[], now: number): Html {
  return html`<p><a href="/">All nodes</a></p><h2>${node.namespace}/${node.name} <span class="${phaseClass(node.phase)}">${node.phase}</span></h2>
${factsTable(node, now)}${node.migration && migrationPart(node.migration, now)}${pastPart(node.past)}
${conditionsTable(node.conditions, now)}${eventsTable(events, now)}`;
}

function factsTable(node: NodeView, now: number): Html {
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['Fleet', node.fleet],
    ['Role', node.role],
    ['Image', node.image],
    ['Height', node.height],
    ['Newest block', blockText(node, now)],
    ['Peers', node.peers],
    ['Backend', node.backend],
    ['EVM state split', splitText(node)],
  ];
  const rows = facts.map(
    ([name, value]) =>
      value !== undefined && value !== '' && html`<tr><th>${name}</th><td>${value}</td></tr>`,
  );
  return html`<table>${rows}</table>`;
}

function migrationPart(migration: MigrationView, now: number): Html {
  return html`<h2>Migration ${migration.id}</h2><p>${migration.kind}, attempt ${migration.attempt}: <b>${migration.phase}</b>
${migration.percent !== undefined && html`<progress max="100" value="${migration.percent}"></progress> ${migration.percent} %`}</p>
${migration.message !== '' && html`<pre>${migration.message}</pre>`}${timeline(migration.steps, now)}`;
}

/** Bars are to scale with the longest phase. */
function timeline(steps: readonly PhaseSpan[], now: number): Html {
  const lengths = steps.map(({ from, to }) => (to ?? now) - from);
  const longest = Math.max(1, ...lengths);
  const rows = steps.map(({ phase, to }, i) => {
    const percent = Math.round((100 * lengths[i]!) / longest);
    return html`<li class="${to === undefined ? 'warn' : 'ok'}"><span>${phase}</span><svg class="bar" role="img" width="100%" height="11" aria-label="${phase}"><rect width="${percent}%" height="11" rx="5" fill="currentColor"/></svg><span>${durationText(lengths[i]!)}</span></li>`;
  });
  return html`<ol class="timeline">${rows}</ol>`;
}

function pastPart(past: readonly PastMigration[]): Html | false {
  if (past.length === 0) return false;
  const rows = past.map(
    (
      one,
    ) => html`<tr><td>${one.id}</td><td>${one.kind}</td><td class="${one.result === 'Succeeded' ? 'ok' : 'bad'}">${one.result}</td>
<td>${one.durationMs !== undefined && durationText(one.durationMs)}</td><td>${one.reason}</td></tr>`,
  );
  return html`<h2>Past migrations</h2><table><tr><th>Id</th><th>Kind</th><th>Result</th><th>Took</th><th>Reason</th></tr>${rows}</table>`;
}

function conditionsTable(conditions: readonly ConditionRow[], now: number): Html {
  const rows = conditions.map(
    (
      condition,
    ) => html`<tr><td>${condition.type}</td><td>${condition.status}</td><td>${condition.reason}</td><td>${condition.message}</td>
<td class="dim">${condition.since !== undefined && durationText(now - condition.since)}</td></tr>`,
  );
  return html`<h2>Conditions</h2><div class="scroll"><table><tr><th>Condition</th><th>Status</th><th>Reason</th><th>Message</th><th>For</th></tr>${rows}</table></div>`;
}
