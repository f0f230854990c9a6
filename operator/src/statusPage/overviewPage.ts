import { type Html, html } from '@chain/platform/pages';
import { blockText, durationText } from './durationText.ts';
import type { EventRow, FleetRow, NodeView, StatusView } from './statusView.ts';

/** Fleets, nodes and last events. `now` is in milliseconds since 1970. */
export function overviewPage(view: StatusView, now: number): Html {
  return html`${view.fleets.length > 0 && fleetsTable(view.fleets)}${nodesTable(view.nodes, now)}${eventsTable(view.events, now)}`;
}

function fleetsTable(fleets: readonly FleetRow[]): Html {
  const rows = fleets.map(
    (fleet) => html`<tr><td>${fleet.namespace}/${fleet.name}</td>
<td class="number ${fleet.ready < fleet.replicas ? 'warn' : 'ok'}">${fleet.ready} of ${fleet.replicas}</td>
<td class="number">${fleet.synced}</td><td class="number">${fleet.split}</td>
<td class="number">${fleet.heights && heightsText(fleet.heights)}</td>
<td class="${fleet.isBlocked ? 'bad' : 'dim'}">${fleet.rollout}</td></tr>`,
  );
  return html`<h2>Fleets</h2><div class="scroll"><table>
<tr><th>Fleet</th><th class="number">Ready</th><th class="number">Synced</th><th class="number">Split</th><th class="number">Heights</th><th>Rollout</th></tr>
${rows}</table></div>`;
}

function heightsText([lowest, highest]: readonly [number, number]): string {
  return lowest === highest ? String(highest) : `${lowest} – ${highest}`;
}

function nodesTable(nodes: readonly NodeView[], now: number): Html {
  if (nodes.length === 0)
    return html`<h2>Nodes</h2><p class="dim">No ChainNode is there yet. <code>kubectl apply -f k8s/samples/rpc.yaml</code> makes one.</p>`;
  return html`<h2>Nodes</h2><div class="scroll"><table>
<tr><th>Node</th><th>Role</th><th>Phase</th><th class="number">Height</th><th>Newest block</th><th class="number">Peers</th><th>Split</th><th>Migration</th></tr>
${nodes.map((node) => nodeRow(node, now))}</table></div>`;
}

function nodeRow(node: NodeView, now: number): Html {
  return html`<tr><td><a href="/nodes/${encodeURIComponent(node.namespace)}/${encodeURIComponent(node.name)}">${node.namespace}/${node.name}</a></td>
<td>${node.role}</td><td class="${phaseClass(node.phase)}">${node.phase}</td>
<td class="number">${node.height}</td>
<td>${blockText(node, now) ?? ''}</td>
<td class="number">${node.peers}</td><td>${splitText(node)}</td><td>${migrationCell(node)}</td></tr>`;
}

function migrationCell({ migration }: NodeView): Html | false {
  if (!migration) return false;
  const { phase, percent } = migration;
  return html`${phase}${percent !== undefined && html` <progress max="100" value="${percent}">${percent} %</progress> ${percent} %`}`;
}

/** Which of the page's colours a phase of a node has. */
export function phaseClass(phase: string): string {
  if (phase === 'Running') return 'ok';
  return phase === 'Held' || phase === 'Degraded' ? 'bad' : 'warn';
}

export function splitText({ isSplit }: NodeView): string {
  if (isSplit === undefined) return '';
  return isSplit ? 'yes' : 'no';
}

/** The last events; `subject` may be left out where it is always the same. */
export function eventsTable(events: readonly EventRow[], now: number): Html {
  if (events.length === 0) return html``;
  const rows = events.map(
    (event) => html`<tr><td>${durationText(now - event.at)} ago</td><td>${event.subject}</td>
<td class="${event.type === 'Warning' ? 'bad' : 'dim'}">${event.reason}</td><td>${event.note}</td></tr>`,
  );
  return html`<h2>Last events</h2><div class="scroll"><table><tr><th>When</th><th>Of</th><th>Reason</th><th>What</th></tr>${rows}</table></div>`;
}
