import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync('docs/reference/libraries.md', 'utf8');

/** Of the first column. */
const named = (page: string): string[] =>
  [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
  );

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const loaded = new Set(
  globSync('{platform,node,operator,sidecars/*}/package.json').flatMap((path) => {
    const { dependencies, optionalDependencies }: Package = JSON.parse(readFileSync(path, 'utf8'));
    return Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => !name.startsWith('@chain/'),
    );
  }),
);

describe('the table of libraries', () => {
  it('would tell one that it lacks, and one that nobody loads', () => {
    const planted = named('| library | x |\n|---|---|\n| `left-pad`, `ws` | text |\n');
    expect(planted).toEqual(['left-pad', 'ws']);
    expect(planted.filter((name) => !loaded.has(name))).toEqual(['left-pad']);
    expect([...loaded].filter((name) => !planted.includes(name))).toContain('fastify');
  });

  it('has each library that a program loads, once, and no other', () => {
    expect(named(PAGE).toSorted()).toEqual([...loaded].toSorted());
  });
});
