import type { ConditionTable } from './condition.ts';
import { CUSTOM_RESOURCES, type CustomResource } from './customResources.ts';
import { FLEET_CONDITIONS } from './fleetConditions.ts';
import { MIGRATION_REASONS } from './migrationTerms.ts';
import { ANNOTATIONS, API_VERSION, FLEET_KIND, LABELS, NODE_KIND } from './names.ts';
import { NODE_CONDITIONS } from './nodeConditions.ts';
import type { Schema } from './schema.ts';

const INTRODUCTION = `# ChainNode, ChainNodeFleet and ChainDisruptionBudget
Generated from the tables in \`operator/src/api\`; do not edit. API version \`${API_VERSION}\`. \`kubectl explain cn.spec\`
tells the same.

A field in **bold** must be given. Condition reasons are a promise: alerts and scripts may match them.
`;

/** docs/reference/chainNode.md. */
export function apiReference(): string {
  const reasons = Object.entries(MIGRATION_REASONS).map(([name, about]) => `| \`${name}\` | ${about} |`);
  return [
    INTRODUCTION,
    ...CUSTOM_RESOURCES.map(resourcePage),
    `## Reasons of a migration\n\n| Reason | Meaning |\n|---|---|\n${reasons.join('\n')}\n`,
    `## Labels and annotations\n\n${namesOf('Labels', LABELS)}\n${namesOf('Annotations', ANNOTATIONS)}\n`,
  ].join('\n');
}

function namesOf(title: string, names: Readonly<Record<string, string>>): string {
  return `${title}: ${Object.values(names)
    .map((name) => `\`${name}\``)
    .join(', ')}.\n`;
}

const CONDITIONS: Readonly<Record<string, ConditionTable>> = {
  [NODE_KIND]: NODE_CONDITIONS,
  [FLEET_KIND]: FLEET_CONDITIONS,
};

function resourcePage({ kind, shortName, about, spec, status, rules }: CustomResource): string {
  const conditions = CONDITIONS[kind];
  return `## ${kind} (\`${shortName}\`)
${about}

${rules.map(({ message }) => `- ${message}`).join('\n')}

### ${kind} spec

${fieldTable('spec', spec.schema)}
### ${kind} status

${fieldTable('status', status.schema)}
${conditions ? `### ${kind} conditions\n\n${conditionTable(conditions)}` : ''}`;
}

function conditionTable(table: ConditionTable): string {
  const rows = Object.entries(table).flatMap(([type, { about, reasons }]) => [
    `| **${type}** | | ${about} |`,
    ...Object.entries(reasons).map(([reason, meaning]) => `| | \`${reason}\` | ${meaning} |`),
  ]);
  return `| Type | Reason | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function fieldTable(path: string, schema: Schema): string {
  const rows = [...fieldRows(path, schema)];
  return `| Field | Type | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function* fieldRows(path: string, schema: Schema): Generator<string> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const full = `${path}.${name}`;
    const shown = schema.required?.includes(name) ? `**\`${full}\`**` : `\`${full}\``;
    const cells = [shown, typeOf(property), defaultOf(property), meaningOf(property)];
    yield `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    // The template of a fleet is a node's spec again.
    if (full === 'spec.template.spec') continue;
    yield* fieldRows(full, property);
    if (property.items) yield* fieldRows(`${full}[]`, property.items);
  }
}

function typeOf(schema: Schema): string {
  if (schema.enum)
    return schema.enum.length > 12 ? 'name' : schema.enum.map((value) => `\`${value}\``).join(' | ');
  if (schema['x-kubernetes-int-or-string']) return 'integer | string';
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties) return `map of ${typeOf(schema.additionalProperties)}`;
  return schema.format === 'date-time' ? 'time' : (schema.type ?? 'object');
}

function defaultOf(schema: Schema): string {
  const isGroup = schema.type === 'object' && JSON.stringify(schema.default) === '{}';
  return schema.default === undefined || isGroup ? '' : `\`${JSON.stringify(schema.default)}\``;
}

function meaningOf(schema: Schema): string {
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ message }) => message);
  const { minimum, maximum } = schema;
  const range = [
    ...(minimum !== undefined && minimum > 0 ? [`at least ${minimum}`] : []),
    ...(maximum !== undefined ? [`at most ${maximum}`] : []),
  ];
  return [schema.description ?? '', ...[...range, ...rules].map((rule) => `(${rule})`)].join(' ').trim();
}
