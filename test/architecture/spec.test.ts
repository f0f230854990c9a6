import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trackedFiles } from '../support/trackedFiles.ts';

const SPEC = 'docs/spec';
const RULE = /^### ([A-Z]-\d+) (.+)$/gm;
const PROOF = /`([^`]+\.test\.ts)`: "((?:[^"\\]|\\.)*)"/g;
const CITED = /\bspec ((?:[A-Z]-\d+)(?:(?:, | and )[A-Z]-\d+)*)/g;
const PAGE = /[\w./-]*\w\.md\b/g;

const pages = readdirSync(SPEC).filter((name) => name !== 'README.md');
const rules = pages.flatMap((page) => rulesOf(readFileSync(join(SPEC, page), 'utf8')));
const known = new Set(rules.map(({ id }) => id));

function rulesOf(text: string): { readonly id: string; readonly body: string }[] {
  const heads = [...text.matchAll(RULE)];
  return heads.map(({ 1: id, index }, place) => ({
    id: id!,
    body: text.slice(index, heads[place + 1]?.index ?? text.length),
  }));
}

function unknownCitations(source: string): readonly string[] {
  const cited = [...source.matchAll(CITED)].flatMap(([, ids]) => ids!.split(/, | and /));
  return cited.filter((id) => !known.has(id));
}

/** Pages that a source names and that the repository has neither from its root nor beside the source. */
function absentPages(source: string, path: string, exists: (page: string) => boolean): readonly string[] {
  const named = [...source.matchAll(PAGE)].map(([page]) => page).filter((page) => !page.startsWith('/'));
  return named.filter((page) => !exists(page) && !exists(join(dirname(path), page)) && !GENERIC.has(page));
}
/** Names of files that programs write or tools expect, not pages of this repository. */
const GENERIC = new Set(['report.md', 'doc/log_format.md', 'config.md', 'Head.md']);

describe('the specification', () => {
  it('has a number for each rule, once, in the order of its page', () => {
    expect(rules.length).toBeGreaterThan(80);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const page of pages) {
      const numbers = rulesOf(readFileSync(join(SPEC, page), 'utf8')).map(({ id }) => Number(id.slice(2)));
      expect(numbers, page).toEqual(numbers.map((_, place) => place + 1));
    }
  });

  it.each(rules)('$id is proven by tests that exist', ({ body }) => {
    const proofs = [...body.matchAll(PROOF)];
    expect(proofs).not.toHaveLength(0);
    for (const [, file = '', name = ''] of proofs) {
      expect(readFileSync(file, 'utf8').includes(name), `${file}: ${name}`).toBe(true);
    }
  });

  const sources = trackedFiles().filter((path) => basename(path) !== 'spec.test.ts');

  it('has each rule that the code cites', () => {
    const unknown = sources.flatMap((path) =>
      unknownCitations(readFileSync(path, 'utf8')).map((id) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('and the documents that the code names are in the repository', () => {
    const absent = sources.flatMap((path) =>
      absentPages(readFileSync(path, 'utf8'), path, existsSync).map((page) => `${path}: ${page}`),
    );
    expect(absent).toEqual([]);
  });

  it('the gate names planted citations', () => {
    expect(unknownCitations('/** As it must be (spec S-3, S-999). */')).toEqual(['S-999']);
    expect(absentPages('/** Rules (design.md §6). */', 'node/src/a.ts', () => false)).toEqual(['design.md']);
  });
});
