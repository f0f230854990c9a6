import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** What there should be none of, and how many there are still: a number here only ever goes down. */
const LEFT = {
  /** `!` behind a value that the compiler cannot see to be there, outside tests. */
  nonNull: 880,
  /** `...{ a, b }` and `...[a, b]`, which only keep the formatter from a line each. */
  spreadLiterals: 23,
};
type Counted = keyof typeof LEFT;

function countIn(text: string): Record<Counted, number> {
  const counts = { nonNull: 0, spreadLiterals: 0 };
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node)) counts.nonNull++;
    const spread = ts.isSpreadAssignment(node) || ts.isSpreadElement(node) ? node.expression : undefined;
    if (spread && (ts.isObjectLiteralExpression(spread) || ts.isArrayLiteralExpression(spread))) {
      counts.spreadLiterals++;
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile('counted.ts', text, ts.ScriptTarget.Latest), visit);
  return counts;
}

const isTest = (path: string): boolean =>
  !/^[^/]+\/(rateLimiter\/)?src\//.test(path) || /\.(test|fixture)\.ts$/.test(path);

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  // AssemblyScript has a syntax of its own.
  .filter((path) => path !== '' && !path.startsWith('node/assembly/'));

describe('what is counted down', () => {
  it('is seen where it is planted', () => {
    const planted =
      'f(...[1, 2], ...rest, map.get(key)!); const o = { ...{ a, b }, ...(c && { d }), e: !f };';
    expect(countIn(planted)).toEqual({ nonNull: 1, spreadLiterals: 2 });
  });

  it('is no more than it was; who takes some out writes the new number', { timeout: 60_000 }, () => {
    const found = { nonNull: 0, spreadLiterals: 0 };
    const places: string[] = [];
    for (const path of FILES) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      if (!/!|\.\.\.\s*[{[]/.test(text)) continue;
      const counts = countIn(text);
      if (!isTest(path)) found.nonNull += counts.nonNull;
      found.spreadLiterals += counts.spreadLiterals;
      if (counts.spreadLiterals > 0) places.push(path);
    }
    expect(
      found.nonNull,
      'test for undefined, or read the value where it is known to be',
    ).toBeLessThanOrEqual(LEFT.nonNull);
    expect(found.spreadLiterals, places.join('\n')).toBeLessThanOrEqual(LEFT.spreadLiterals);
  });
});
