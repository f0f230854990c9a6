import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'docs/decisions';
const DECISIONS = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const MAX_LINES = 10;
/** Heading, status and empty lines are not counted. */
const tooLong = (text: string): boolean =>
  text.split('\n').filter((line) => line !== '').length - 2 > MAX_LINES;
const STATUS = /^Status: (accepted|superseded by \d{4})\.$/;

it.each(DECISIONS)('%s has its number, a title and a status', (name) => {
  const [heading = '', status = ''] = readFileSync(`${FOLDER}/${name}`, 'utf8').split('\n');
  expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
  expect(heading).toMatch(new RegExp(`^# ${name.slice(0, 4)}: [A-Z].+[^.]$`));
  expect(status).toMatch(STATUS);
});

it.each(DECISIONS)('%s has ten lines', (name) => {
  expect(tooLong(readFileSync(`${FOLDER}/${name}`, 'utf8'))).toBe(false);
});

it('would tell a decision of eleven lines', () => {
  const decision = (lines: number) => `# 0000: Title\nStatus: accepted.\n\n${'a line\n'.repeat(lines)}`;
  expect([decision(10), decision(11)].map(tooLong)).toEqual([false, true]);
});

it('gives each number once', () => {
  const numbers = DECISIONS.map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});
