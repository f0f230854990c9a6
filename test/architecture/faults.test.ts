import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const PAGE = 'docs/reference/faults.md';
const REFERENCE = /`([^`]+\.test\.ts)`: "((?:[^"\\]|\\.)*)"/g;

it('names, for each fault, tests that exist', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (#|Fault) /.test(line));
  expect(rows.filter((row) => /^\| \d+ \|/.test(row))).toHaveLength(14);
  for (const row of rows) {
    const named = [...row.matchAll(REFERENCE)];
    expect(named, row).not.toHaveLength(0);
    for (const [, file = '', name = ''] of named) {
      expect(readFileSync(file, 'utf8'), `${file}: ${name}`).toContain(name.replaceAll('\\"', '"'));
    }
  }
});
