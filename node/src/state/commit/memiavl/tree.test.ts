import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeHasher } from './nodeHasher.ts';
import { Tree } from './tree.ts';
import { iterateTree } from './treeIterator.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(2, '0')}`);
type Change = readonly [key: string, value: string | null];
const hasher = new NodeHasher();

function applyBlock(tree: Tree, changes: readonly Change[]): string {
  for (const [key, value] of changes) {
    if (value === null) tree.delete(bytes(key));
    else tree.set(bytes(key), bytes(value));
  }
  tree.saveVersion();
  return hexOf(tree.hash(hasher));
}

describe('golden root hashes (spec S-3)', () => {
  const versions: [Change[], string][] = [
    [[['hello', 'world']], '6032661ab0d201132db7a8fa1da6a0afe427e6278bd122c301197680ab79ca02'],
    [
      [
        ['hello', 'world1'],
        ['hello1', 'world1'],
      ],
      '457d81f933f53e5cfb90d813b84981aa2604d69939e10c94304d18287ded31f7',
    ],
    [
      [
        ['hello2', 'world1'],
        ['hello3', 'world1'],
      ],
      'c7ab142752add0374992261536e502851ce555d243270d3c3c6b77cf31b7945d',
    ],
    [[['hello00', 'world1']], 'e54da9407cbca3570d04ad5c3296056a0726467cb06272ffd8ef1b4ae87fb99d'],
    [
      [
        ['hello', null],
        ['hello19', null],
      ],
      '8b04490800d6b54fa569715a754b5fafe24fd720f677cab819394cf7ccf8cdec',
    ],
    [
      numbered('aello', 21).map((key): Change => [key, 'world1']),
      '38abd5268374923e6727b14ac5a9bb6611e591d7e316d0a612904062f244e72f',
    ],
    [
      [...numbered('aello', 21), ...numbered('hello', 19)].map((key): Change => [key, null]),
      'd91cf6388eeff3204474bb07b853ab0d7d39163912ac1e610e92f9b178c76922',
    ],
  ];

  it('come out version by version', () => {
    const tree = new Tree(undefined, 1);
    expect(versions.map(([changes]) => applyBlock(tree, changes))).toEqual(versions.map(([, root]) => root));
    expect(tree.version).toBe(7);
  });

  it('come out the same when only the last version is hashed', () => {
    const tree = new Tree(undefined, 1);
    for (const [changes] of versions) {
      for (const [key, value] of changes) {
        if (value === null) tree.delete(bytes(key));
        else tree.set(bytes(key), bytes(value));
      }
      tree.saveVersion();
    }
    expect(hexOf(tree.hash(hasher))).toBe(versions.at(-1)![1]);
  });
});

it('hashes the empty tree as SHA-256 of nothing, also after everything was deleted', () => {
  const tree = new Tree(undefined, 1);
  const empty = createHash('sha256').digest('hex');
  expect(applyBlock(tree, [])).toBe(empty);
  applyBlock(tree, [['a', '1']]);
  expect(applyBlock(tree, [['a', null]])).toBe(empty);
});

it('starts at the initial version, with nodes of version 1 in the first block', () => {
  const late = new Tree(undefined, 100);
  const early = new Tree(undefined, 1);
  expect(applyBlock(late, [['a', '1']])).toBe(applyBlock(early, [['a', '1']]));
  expect(late.version).toBe(100);
  applyBlock(late, [['b', '2']]);
  applyBlock(early, [['b', '2']]);
  expect(late.version).toBe(101);
  expect(hexOf(late.hash(hasher))).not.toBe(hexOf(early.hash(hasher)));
});

/** A second implementation, plain objects and recursion, against which random histories are compared. */
interface Node {
  key: string;
  value?: string;
  left?: Node;
  right?: Node;
  version: number;
}
const heightOf = (node: Node): number =>
  node.left ? 1 + Math.max(heightOf(node.left), heightOf(node.right!)) : 0;
const sizeOf = (node: Node): number => (node.left ? sizeOf(node.left) + sizeOf(node.right!) : 1);
const minimum = (node: Node): string => (node.left ? minimum(node.left) : node.key);
const lean = (node: Node): number => heightOf(node.left!) - heightOf(node.right!);
const branch = (left: Node, right: Node, version: number): Node => ({
  key: minimum(right),
  left,
  right,
  version,
});

function balanced(node: Node, version: number): Node {
  const { left, right } = node as Required<Node>;
  if (lean(node) > 1) {
    const pivot = lean(left) < 0 ? rotatedLeft(left, version) : left;
    return branch(pivot.left!, branch(pivot.right!, right, version), version);
  }
  if (lean(node) < -1) {
    const pivot = lean(right) > 0 ? rotatedRight(right, version) : right;
    return branch(branch(left, pivot.left!, version), pivot.right!, version);
  }
  return node;
}
const rotatedLeft = ({ left, right }: Node, version: number): Node =>
  branch(branch(left!, right!.left!, version), right!.right!, version);
const rotatedRight = ({ left, right }: Node, version: number): Node =>
  branch(left!.left!, branch(left!.right!, right!, version), version);

function inserted(node: Node | undefined, key: string, value: string, version: number): Node {
  const leaf = { key, value, version };
  if (!node || (!node.left && node.key === key)) return leaf;
  if (!node.left) return key < node.key ? branch(leaf, node, version) : branch(node, leaf, version);
  const { left, right } = node as Required<Node>;
  return key < node.key
    ? balanced(branch(inserted(left, key, value, version), right, version), version)
    : balanced(branch(left, inserted(right, key, value, version), version), version);
}

function removed(node: Node, key: string, version: number): Node | undefined {
  if (!node.left) return node.key === key ? undefined : node;
  const { left, right } = node as Required<Node>;
  const child = key < node.key ? left : right;
  const without = removed(child, key, version);
  if (without === child) return node;
  if (!without) return child === left ? right : left;
  return balanced(child === left ? branch(without, right, version) : branch(left, without, version), version);
}

const zigzag = (value: number): Buffer => {
  const out: number[] = [];
  let rest = value * 2;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest % 0x80) + 0x80);
  return Buffer.from([...out, rest]);
};
const sha = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
function naiveHash(node: Node | undefined): Buffer {
  if (!node) return sha();
  const prefix = Buffer.concat([zigzag(heightOf(node)), zigzag(sizeOf(node)), zigzag(node.version)]);
  const length = Buffer.from([32]);
  if (node.left) return sha(prefix, length, naiveHash(node.left), length, naiveHash(node.right!));
  // Keys stay below 64 bytes, so that a length is one byte and its zigzag its double.
  return sha(prefix, Buffer.from([node.key.length]), bytes(node.key), length, sha(bytes(node.value!)));
}

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ÿ'), minLength: 1, maxLength: 4 });
const value = fc.oneof(fc.string({ maxLength: 3 }), fc.constant('long'.repeat(200)));
const history = fc.array(fc.array(fc.tuple(key, fc.option(value)), { maxLength: 25 }), { maxLength: 12 });

it('follows the naive tree through any history, in hashes, reads and ranges', () => {
  fc.assert(
    fc.property(history, key, key, (blocks, from, to) => {
      const tree = new Tree(undefined, 1);
      let naive: Node | undefined;
      const model = new Map<string, string>();
      blocks.forEach((changes, i) => {
        const root = applyBlock(tree, changes);
        for (const [k, v] of changes) {
          if (v === null) model.delete(k);
          else model.set(k, v);
          if (v !== null) naive = inserted(naive, k, Buffer.from(v, 'latin1').toString('latin1'), i + 1);
          else if (naive) naive = removed(naive, k, i + 1);
        }
        expect(root).toBe(naiveHash(naive).toString('hex'));
        if (i === 3) tree.freeze();
      });
      const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
      const read = (range: Parameters<Tree['iterate']>[0]): string[][] =>
        [...tree.iterate(range)].map((pair) => pair.map((part) => Buffer.from(part).toString('latin1')));
      const latin = sorted.map(([k, v]) => [k, Buffer.from(v, 'latin1').toString('latin1')]);
      expect(read({})).toEqual(latin);
      expect(read({ reverse: true })).toEqual(latin.toReversed());
      const within = latin.filter(([k]) => k! >= from && k! < to);
      expect(read({ start: bytes(from), end: bytes(to) })).toEqual(within);
      expect(read({ start: bytes(from), end: bytes(to), reverse: true })).toEqual(within.toReversed());
      const held = tree.get(bytes(from));
      expect(held && Buffer.from(held).toString('latin1')).toBe(latin.find(([k]) => k === from)?.[1]);
    }),
    { numRuns: 200 },
  );
});

describe('kept versions', () => {
  const moment = fc.record({
    changes: fc.array(fc.tuple(key, fc.option(value)), { maxLength: 25 }),
    copy: fc.constantFrom('none', 'none', 'freeze', 'release'),
  });

  it('and frozen copies stay as they were while the memory of forgotten ones is used again', () => {
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (moments, count) => {
        const tree = new Tree(undefined, 1);
        const seen: { root: number; rows: string; hash: string }[] = [];
        const copies: { version: number; release(): void }[] = [];
        const rowsOf = (root: number): string =>
          [...iterateTree(tree.space, root, {})]
            .map((pair) => pair.map((part) => hexOf(part)).join())
            .join(';');
        for (const { changes, copy } of moments) {
          const hash = applyBlock(tree, changes);
          const root = count > 1 ? tree.keepVersion() : tree.root;
          tree.forgetBelow(tree.version - count + 1);
          seen.push({ root, rows: rowsOf(root), hash });
          if (copy === 'freeze') copies.push({ version: tree.version, release: tree.freeze().release });
          if (copy === 'release') copies.shift()?.release();
          const kept = Array.from({ length: Math.min(count, tree.version) }, (_, i) => tree.version - i);
          for (const version of [...kept, ...copies.map((frozen) => frozen.version)]) {
            const { root: at, rows, hash: was } = seen[version - 1]!;
            expect([rowsOf(at), hexOf(tree.hash(hasher, at))]).toEqual([rows, was]);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('take no more memory than the nodes that they do not share', () => {
    const tree = new Tree(undefined, 1);
    const block = (i: number): Change[] =>
      Array.from({ length: 20 }, (_, j) => [`key${(i * 13 + j * 7) % 500}`, `value ${i}`.repeat(4)]);
    const sizes: number[] = [];
    for (let i = 0; i < 600; i++) {
      applyBlock(tree, block(i));
      tree.keepVersion();
      tree.forgetBelow(tree.version - 7);
      sizes.push(tree.space.arena.count + tree.space.slab.segments.length);
    }
    expect(sizes.at(-1)).toBe(sizes[200]);
    expect(tree.space.slab.segments).toHaveLength(1);
  });
});
