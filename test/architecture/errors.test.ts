import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');
const MADE = /(?:\bnew CodedError(?:<[^>]*>)?|\bsuper)\(\s*'([A-Z][A-Z0-9]*_[A-Z0-9_]+)'/g;
/** Places that decide by a code. */
const ASKED = /\bisCodedError\([^()]*, '([A-Z0-9_]+)'\)|\berror\.code [!=]== '([A-Z]+_[A-Z0-9_]+)'/g;
const READ = /\b(?:error|cause|outcome|failure)\.fields\.(\w+)/g;

interface Row {
  readonly code: string;
  readonly fields: readonly string[];
  readonly paths: readonly string[];
}

function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const [, code] = /^\| `([A-Z0-9_]+)` \|/.exec(line) ?? [];
    if (code === undefined) return [];
    const [fields = '', paths = ''] = line.split(' | ').slice(-2);
    return [{ code, fields: namesIn(fields), paths: namesIn(paths) }];
  });
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`:]+)[^`]*`/g)].map(([, name]) => name!);

const found = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, first, second]) => (first ?? second)!);

const SOURCES = globSync('{node,operator,platform,sidecars/*}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const ROWS = rowsOf(PAGE);
const CODES = new Set(ROWS.map(({ code }) => code));

describe('the catalogue of errors', () => {
  it('would tell an error that the page lacks, one that nobody makes, and one that nobody can get', () => {
    const planted = "throw new CodedError(\n  'STORE_PLANTED', 'it is planted; take it out');";
    expect(found(MADE, planted).filter((code) => !CODES.has(code))).toEqual(['STORE_PLANTED']);
    const asking = "if (isCodedError(error, 'STORE_NEVER')) return; if (error.code === 'STORE_GONE') return;";
    expect(found(ASKED, asking)).toEqual(['STORE_NEVER', 'STORE_GONE']);
    expect(rowsOf('| `A_B` | text | `a: string` | `x.ts` |')).toEqual([
      { code: 'A_B', fields: ['a'], paths: ['x.ts'] },
    ]);
  });

  it('has a row for each code that a program makes', () => {
    const made = SOURCES.flatMap(({ text }) => found(MADE, text));
    expect(made.length).toBeGreaterThan(200);
    expect([...new Set(made)].filter((code) => !CODES.has(code))).toEqual([]);
  });

  it('has no row for a code that nobody makes', () => {
    const words = new Set(SOURCES.flatMap(({ text }) => text.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
    // A kind may be put behind its prefix in one place: then its own words stand in the source.
    const isNamed = (code: string): boolean =>
      [...code.matchAll(/_/g)].some(({ index }) => words.has(code.slice(index + 1)));
    expect([...CODES].filter((code) => !words.has(code) && !isNamed(code))).toEqual([]);
    const paths = new Set(SOURCES.map(({ path }) => path));
    expect(ROWS.flatMap((row) => row.paths).filter((path) => !paths.has(path))).toEqual([]);
  });

  it('has each code, and each field, that a program decides by', () => {
    const asked = SOURCES.flatMap(({ text }) => found(ASKED, text));
    expect(asked.length).toBeGreaterThan(50);
    expect([...new Set(asked)].filter((code) => !CODES.has(code))).toEqual([]);
    const fields = new Set(ROWS.flatMap((row) => row.fields));
    const read = SOURCES.flatMap(({ text }) => found(READ, text));
    expect(read.length).toBeGreaterThan(10);
    expect([...new Set(read)].filter((name) => !fields.has(name))).toEqual([]);
  });
});
