import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trackedFiles } from '../support/trackedFiles.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Members of an API or of the state, whose spelling is not ours to choose. */
const OF_THE_WIRE: ReadonlySet<string> = new Set(['backoffMax', 'commissionAboveMax', 'changeAboveMax']);

/** `MOST_X`, `xMax` and the like as expressions; anything else is a name of its own. */
function expressionOf(pattern: string): string {
  return pattern
    .replace(/_X$/, '_[A-Z0-9_]+')
    .replace(/^X_/, '[A-Z0-9]+[A-Z0-9_]*_')
    .replace(/^x(?=[A-Z])/, '[a-z]\\w*')
    .replace(/(?<=[a-z])X$/, '[A-Z]\\w*');
}

function forbiddenIn(markdown: string): RegExp {
  const table = markdown.slice(markdown.indexOf('## Glossary'), markdown.indexOf('## Tests'));
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| word'));
  const patterns = rows.flatMap((row) => [
    ...row
      .split('|')
      .at(-2)!
      .matchAll(/`(\w+)`/g),
  ]);
  return new RegExp(`(?<![\\w$.'-])#?(${patterns.map(([, name]) => expressionOf(name!)).join('|')})\\b`, 'g');
}

const FORBIDDEN = forbiddenIn(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));

function wordsIn(path: string, source: string): string[] {
  return [...source.matchAll(FORBIDDEN)]
    .filter(([, name]) => !OF_THE_WIRE.has(name!))
    .map(([, name]) => `${path}: ${name}`);
}

describe('the glossary', () => {
  it.each([
    'const MOST_BYTES = 1;',
    'const BATCH_MAX = 1;',
    'const LONGEST_MS = 1;',
    'readonly bytesMax: number;',
    'const { mostWaiting } = limits;',
    'async truncateAfter(height: number) {',
    'chain.onRewind(() => goBack(height));',
    'readonly #patience: Backoff;'.replace('Backoff', 'Patience'),
    'export interface World {',
    "export type JobLane = 'trace';",
  ])('a word that another has taken would be found: %s', (planted) => {
    expect(wordsIn('planted.ts', planted)).not.toEqual([]);
  });

  it.each(['Math.max(a, b)', 'const maxBytes = MAX_BYTES;', 'Number.MAX_SAFE_INTEGER', '// at most'])(
    'its own words are none: %s',
    (line) => expect(wordsIn('own.ts', line)).toEqual([]),
  );

  it('is followed by every file of the programs', () => {
    const sources = trackedFiles().filter((path) => /^(node|operator|platform|sidecars)\/.*\.ts$/.test(path));
    expect(sources.length).toBeGreaterThan(1500);
    const found = sources.flatMap((path) => wordsIn(path, readFileSync(join(ROOT, path), 'utf8')));
    expect([...new Set(found)]).toEqual([]);
  });
});
