import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trackedFiles } from '../support/trackedFiles.ts';

const DOOR = 'docs/README.md';
const LINK = /\]\(([^()\s]+)\)/g;
const HEADING = /^#{1,6} +(.+?) *$/gm;
/** Beginnings of chart pages: their links hold where `npm run gen` writes those, which are checked. */
const FRAGMENT = /^scripts\/charts\/\w+Head\.md$/;

interface Tree {
  /** Text of each page by its path. */
  readonly pages: ReadonlyMap<string, string>;
  /** Paths of all files and of the folders that hold them. */
  readonly paths: ReadonlySet<string>;
}

const withoutFences = (text: string): string => text.replace(/^```.*?^```$/gms, '');
const withoutCode = (text: string): string => withoutFences(text).replace(/`[^`\n]*`/g, '');
const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(LINK)].map(([, link]) => link!).filter((link) => !/^[a-z]+:/.test(link));

/** Anchors of a page by GitHub's rule: lower case, no punctuation, a number behind one that repeats. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(text).matchAll(HEADING)) {
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = shown.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

const target = (page: string, link: string): string => {
  const [path = ''] = link.split('#');
  return path === '' ? page : join(dirname(page), path).replace(/\/$/, '');
};

function isDead(tree: Tree, page: string, link: string): boolean {
  const path = target(page, link);
  if (!tree.paths.has(path)) return true;
  const anchor = link.split('#')[1];
  return anchor !== undefined && !anchorsOf(tree.pages.get(path) ?? '').has(anchor);
}

const deadLinks = (tree: Tree): string[] =>
  [...tree.pages].flatMap(([page, text]) =>
    linksIn(text).flatMap((link) => (isDead(tree, page, link) ? [`${page}: ${link}`] : [])),
  );

/** Pages of docs that neither the front door nor an index (a README) that it links to lists. */
function unlisted(tree: Tree): string[] {
  const listed = new Set([DOOR]);
  for (const page of listed) {
    if (!/^docs\/(?:\w+\/)?README\.md$/.test(page)) continue;
    for (const link of linksIn(tree.pages.get(page) ?? '')) listed.add(target(page, link));
  }
  return [...tree.pages.keys()].filter((page) => page.startsWith('docs/') && !listed.has(page));
}

function treeOf(files: readonly string[], read: (path: string) => string): Tree {
  const pages = files.filter((path) => path.endsWith('.md') && !FRAGMENT.test(path));
  const paths = new Set(files);
  for (const path of paths) paths.add(dirname(path));
  return { pages: new Map(pages.map((path) => [path, read(path)])), paths };
}

describe('the documentation', () => {
  const tree = treeOf(trackedFiles('*'), (path) => readFileSync(path, 'utf8'));

  it('has no dead link', () => {
    expect([...tree.pages.values()].flatMap(linksIn).length).toBeGreaterThan(300);
    expect(deadLinks(tree)).toEqual([]);
  });

  it('lists each of its pages at the front door, or in an index behind it', () => {
    expect(tree.pages.has(DOOR)).toBe(true);
    expect(unlisted(tree)).toEqual([]);
  });

  it('the gate names planted violations', () => {
    // Written with another ending: the gate of the specification looks for pages that sources name.
    const md = (text: string): string => text.replaceAll('.page', '.md');
    const planted: Record<string, string> = {
      'docs/README.page':
        '# Door\n[a](guides/a.page#two-words-1) [index](spec/README.page) [out](https://a.example/x.page)',
      'docs/guides/a.page':
        '# A\n## Two `words`\n## Two words\n[up](../) [gone](gone.page) [b](b.page#nowhere) `[c](c.page)`',
      'docs/guides/b.page': '# B\n```sh\n# nowhere\n[d](d.page)\n```\n[self](#b) [far](#far)',
      'docs/spec/README.page': '[state](state.page)',
      'docs/spec/state.page': '# State',
    };
    const texts = new Map(Object.entries(planted).map(([path, text]) => [md(path), md(text)]));
    const found = treeOf([...texts.keys()], (path) => texts.get(path) ?? '');
    const dead = [
      'docs/guides/a.page: gone.page',
      'docs/guides/a.page: b.page#nowhere',
      'docs/guides/b.page: #far',
    ];
    expect(deadLinks(found)).toEqual(dead.map(md));
    expect(unlisted(found)).toEqual([md('docs/guides/b.page')]);
  });
});
