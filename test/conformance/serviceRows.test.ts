import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILES, type Row } from './serviceRow.ts';
import { SERVICE_ROWS } from './serviceRows.ts';

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

describe.each(rows.filter(([, , row]) => !('untestable' in row)))('%s: %s', (section, name, row) => {
  // A row of a feature that the product does not have yet is left out, and the run says so at its end.
  const waiting =
    'open' in row ? { skip: true, meta: { needs: `${section}: ${name} waits for ${row.open}` } } : {};
  it('is proved by tests that exist', waiting, () => {
    expect(proofsOf(row).length, `${section}: ${name} has no test yet`).toBeGreaterThan(0);
    for (const [file, title] of proofsOf(row)) {
      expect(
        titles[file]!.some((known) => known.includes(title)),
        `${file}: ${title}`,
      ).toBe(true);
    }
  });
});

function proofsOf(row: Row): [file: string, title: string][] {
  if ('open' in row || 'untestable' in row) return [];
  return Object.entries(row).flatMap(([file, names]) =>
    names.map((title): [string, string] => [file, title]),
  );
}
