import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run bench [-- name …] [--full]`: runs every `*.bench.ts` here, or the named ones, one after another.
 * Each row: figure, unit, and its ratio to a named peer or physical limit measured in the same call.
 */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the ratio compares with. */
  readonly peer?: string;
  readonly ratio?: number;
}
export type Report = (row: BenchRow) => void;
export interface BenchOptions {
  /** Sizes of the claims; without it each file stays under about a minute. */
  readonly full: boolean;
}
type Bench = (report: Report, options: BenchOptions) => Promise<void>;

const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);

function printRow({ name, value, unit, peer, ratio }: BenchRow): void {
  const against = ratio === undefined ? '' : `${ratio.toFixed(2)} × ${peer}`;
  console.log(`  ${name.padEnd(58)} ${format(value).padStart(12)} ${unit.padEnd(10)} ${against}`);
}

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options: BenchOptions = { full: process.argv.includes('--full') };
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.ts'));
const chosen = files.filter((file) => words.length === 0 || words.includes(file.replace('.bench.ts', '')));
if (chosen.length === 0) {
  console.error(
    `no benchmark named ${words.join(', ')}; there are ${files.map((file) => file.replace('.bench.ts', '')).join(', ')}`,
  );
  process.exit(2);
}
const rows: BenchRow[] = [];
for (const file of chosen.sort()) {
  console.log(file.replace('.bench.ts', ''));
  const { run } = (await import(join(import.meta.dirname, file))) as { run: Bench };
  await run((row) => {
    rows.push(row);
    printRow(row);
  }, options);
}
mkdirSync('reports', { recursive: true });
writeFileSync('reports/bench.json', `${JSON.stringify(rows, null, 2)}\n`);
process.exit(0);
