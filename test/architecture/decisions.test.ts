import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'docs/decisions';
const STATUS = /^Status: (accepted|superseded by \d{4})\.$/;

it.each(readdirSync(FOLDER))('%s has its number, a title and a status', (name) => {
  const [heading = '', status = ''] = readFileSync(`${FOLDER}/${name}`, 'utf8').split('\n');
  expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
  expect(heading).toMatch(new RegExp(`^# ${name.slice(0, 4)}: [A-Z].+[^.]$`));
  expect(status).toMatch(STATUS);
});

it('gives each number once', () => {
  const numbers = readdirSync(FOLDER).map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});
