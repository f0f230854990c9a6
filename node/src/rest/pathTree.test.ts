import { describe, expect, it } from 'vitest';
import { PathTree } from './pathTree.ts';

describe('a tree of paths', () => {
  const tree = new PathTree<string>();
  for (const path of ['/a', '/a/:p0', '/a/fixed', '/a/fixed/:p0/c', '/a/:p0/b/:p1', '/x/*'])
    tree.add(path, path);
  it.each([
    ['/a', '/a', {}],
    ['/a/1', '/a/:p0', { p0: '1' }],
    ['/a/fixed', '/a/fixed', {}],
    ['/a/fixed/2/c', '/a/fixed/:p0/c', { p0: '2' }],
    // The fixed segment leads nowhere, the parameter does.
    ['/a/fixed/b/3', '/a/:p0/b/:p1', { p0: 'fixed', p1: '3' }],
  ])('leads %s to %s', (path, value, params) => {
    expect(tree.find(path)).toEqual({ value, params });
  });
  it.each(['/', '', '/b', '/a/', '/a//b', '/a/1/b', '/a/%41', '/x/y', '/x/*', '/a/1/b/2/', '/__proto__'])(
    'knows nothing of %s',
    (path) => expect(tree.find(path)).toBeUndefined(),
  );
});
