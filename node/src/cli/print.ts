export type OutputFormat = 'text' | 'json';

/** A result on standard output: JSON, or `label: value` lines. */
export function printFields(fields: Readonly<Record<string, unknown>>, format: OutputFormat): void {
  if (format === 'json') {
    printJson(fields);
    return;
  }
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    console.log(`${`${name}:`.padEnd(width + 2)}${Array.isArray(value) ? value.join(', ') : String(value)}`);
  }
}

/** Rows below their columns' names, numbers to the right. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = columns.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const isNumeric = columns.map((_, i) => rows.every((row) => /^-?\d+(\.\d+)?%?$/.test(row[i] ?? '')));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  console.log(line(columns));
  for (const row of rows) console.log(line(row));
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, (_key, it) => (typeof it === 'bigint' ? it.toString() : it), 2));
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) console.error(`warning: ${warning}`);
}
