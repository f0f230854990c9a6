import type { ValueRow } from './valuesTable.ts';

type Schema = Readonly<Record<string, unknown>>;

/** `values.schema.json`: unknown keys are refused everywhere but in values that Kubernetes itself describes. */
export function valuesSchema(
  rows: readonly ValueRow[],
  /** Schemas of values that have one of their own, by path. */
  known: Readonly<Record<string, Schema>> = {},
): string {
  const root = group();
  for (const row of rows) {
    const path = row.path.split('.');
    const name = path.pop()!;
    let at = root;
    for (const key of path) {
      at.properties[key] ??= group();
      at = at.properties[key] as Group;
    }
    at.properties[name] = { ...(known[row.path] ?? schemaOf(row)), description: row.text };
  }
  // Helm hands these to every chart.
  root.properties.global = { type: 'object' };
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft-07/schema#', ...root }, null, 2)}\n`;
}

interface Group {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Record<string, Schema | Group>;
}

function group(): Group {
  return { type: 'object', additionalProperties: false, properties: {} };
}

/** A number or a quantity of Kubernetes', as far as a pattern can say that. */
export const QUANTITY = {
  type: ['number', 'string'],
  minimum: 0,
  pattern: '^[0-9]{1,18}(\\.[0-9]{1,9})?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][0-9]{1,2})?$',
} as const;
const AMOUNTS = { type: 'object', additionalProperties: QUANTITY } as const;

/** What a mistake in would otherwise be found by a program that does not start, or by the API server. */
const NARROW: Readonly<Record<string, Schema>> = {
  count: { type: 'integer', minimum: 0 },
  some: { type: 'integer', minimum: 1 },
  port: { type: 'integer', minimum: 1, maximum: 65_535 },
  duration: {
    type: 'string',
    pattern: '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s)|[0-9]{1,6}(\\.[0-9]{1,9})?(m|h))+$',
  },
  resources: {
    type: 'object',
    additionalProperties: false,
    properties: { requests: AMOUNTS, limits: AMOUNTS, claims: { type: 'array' } },
  },
};

function schemaOf({ kind }: ValueRow): Schema {
  if (typeof kind !== 'string') return { type: 'string', enum: kind };
  if (kind === 'any') return {};
  return NARROW[kind] ?? { type: kind };
}

/** The chart's README: its head, how it is installed, and every value. */
export function chartReadme(head: string, rows: readonly ValueRow[]): string {
  const lines = rows.map(
    ({ path, kind, preset, text }) =>
      `| \`${path}\` | ${typeof kind === 'string' ? kind : kind.join(', ')} | \`${JSON.stringify(preset).replaceAll('|', '\\|')}\` | ${text.replaceAll('|', '\\|')} |`,
  );
  return `${head.trimEnd()}\n\n## Values\n\nMade from \`values.yaml\` by \`npm run gen\`.\n\n| Value | Kind | Default | What it is |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}
