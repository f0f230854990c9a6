import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILES, type Row } from './serviceRow.ts';
import { SERVICE_ROWS } from './serviceRows.ts';

/** Lies beside the clone, where it lies anywhere. */
const SERVICE = '../shared/service.md';
const TITLE = /^\s*(?:it|test|describe|\W*each)\b[^'"`\n]*?\(?\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/gm;
const TABLE_TITLE = /\]\)\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/g;

const titles = Object.fromEntries(
  Object.entries(FILES).map(([name, path]) => {
    const text = readFileSync(path, 'utf8');
    const found = [TITLE, TABLE_TITLE].flatMap((pattern) => [...text.matchAll(pattern)]);
    return [name, found.map(([, , title]) => title!)];
  }),
);
const rows = Object.entries(SERVICE_ROWS).flatMap(([section, ofSection]) =>
  Object.entries(ofSection).map(([name, row]) => [section, name, row] as const),
);

/** Rows of a feature that the product does not have yet: said aloud, and left out. */
const open = rows.filter(([, , row]) => 'open' in row).map(([section, name]) => `${section}: ${name}`);
if (open.length > 0) process.stdout.write(`rows of the service without a test yet: ${open.join('; ')}\n`);

describe.each(rows.filter(([, , row]) => !('untestable' in row)))('%s: %s', (section, name, row) => {
  it.skipIf('open' in row)('is proved by tests that exist', () => {
    expect(proofsOf(row).length, `${section}: ${name} has no test yet`).toBeGreaterThan(0);
    for (const [file, title] of proofsOf(row)) {
      expect(
        titles[file]!.some((known) => known.includes(title)),
        `${file}: ${title}`,
      ).toBe(true);
    }
  });
});

describe.runIf(existsSync(SERVICE))('service.md', () => {
  it('has no table row and no numbered rule that is not listed, and none that is listed is gone', () => {
    const listed = rows.map(([section, name]) => `${section}: ${name}`);
    const there = rowsOf(readFileSync(SERVICE, 'utf8'));
    expect(there.filter((row) => !listed.includes(row))).toEqual([]);
    // Rules that stand in lists without numbers have names of their own.
    const sections = new Set(there.map((row) => row.split(': ')[0]));
    expect(listed.filter((row) => sections.has(row.split(': ')[0]) && !there.includes(row))).toEqual([]);
  });
});

function proofsOf(row: Row): [file: string, title: string][] {
  if ('open' in row || 'untestable' in row) return [];
  return Object.entries(row).flatMap(([file, names]) =>
    names.map((title): [string, string] => [file, title]),
  );
}

function rowsOf(text: string): string[] {
  const found: string[] = [];
  let section = '';
  let header = true;
  for (const line of text.split('\n')) {
    section = /^#+ (.*)/.exec(line)?.[1] ?? section;
    if (!line.startsWith('|')) {
      header = true;
      const rule = /^(\d+\.) /.exec(line)?.[1];
      if (rule) found.push(`${section}: ${rule}`);
      continue;
    }
    const cells = line.split('|').map((cell) => cell.trim());
    if (!header && !/^[-| ]+$/.test(line)) found.push(`${section}: ${nameOf(section, cells.slice(1))}`);
    header = false;
  }
  return found;
}

function nameOf(section: string, cells: readonly string[]): string {
  if (section === 'States and transitions') return cells.slice(0, 2).join(' | ');
  return cells[0]!.startsWith('`[') ? cells[1]! : cells[0]!;
}
