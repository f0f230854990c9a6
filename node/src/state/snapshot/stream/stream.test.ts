import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { leafKeyOf, leafValueOf } from '../../commit/index.ts';
import { compressed, hexOf, itemsOf, latin1, SnapshotHomes } from '../snapshot.fixture.ts';
import { InflateStream } from './inflateStream.ts';
import { ItemReader, type ItemVisitor } from './itemReader.ts';

const homes = new SnapshotHomes();
afterAll(() => homes.remove());

/** The state of the golden example at version 4, uncompressed (spec S-10). */
const GOLDEN =
  '080a060a0462616e6b1412120a0668656c6c6f311206776f726c643118020c120a0a0668656c6c6f3218040e120c0a0668656c6c6f32' +
  '18042001070a050a0365766d2512230a150aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa120800000000000000071802';
const evmKey = Uint8Array.from([0x0a, ...new Array<number>(20).fill(0xaa)]);

type Visit = [string, ...(string | number)[]];

/** What a reader is given of a stream that comes in pieces. */
function visits(pieces: readonly Uint8Array[]): Visit[] {
  const seen: Visit[] = [];
  const visitor: ItemVisitor = {
    store: (name) => seen.push(['store', name]),
    leaf: (leaf) => seen.push(['leaf', hexOf(leafKeyOf(leaf)), hexOf(leafValueOf(leaf)), leaf.version]),
    branch: (height, version) => seen.push(['branch', height, version]),
  };
  const reader = new ItemReader(visitor);
  for (const piece of pieces) reader.push(piece);
  reader.finish();
  return seen;
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...pieces, bytes.subarray(at)];
}

describe('the item stream', () => {
  it('is the golden one, from the golden state', async () => {
    const bank = (key: string, value: string | null) => ({
      key: latin1(key),
      value: value === null ? null : latin1(value),
    });
    const nonce = { key: evmKey, value: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7) };
    await homes.withCommit(async (commit) => {
      commit.apply({ version: 1, stores: [{ store: 'bank', changes: [bank('hello', 'world')] }] });
      const second = [bank('hello', 'world1'), bank('hello1', 'world1')];
      commit.apply({
        version: 2,
        stores: [
          { store: 'bank', changes: second },
          { store: 'evm', changes: [nonce] },
        ],
      });
      commit.apply({ version: 3, stores: [] });
      const fourth = [bank('hello2', ''), bank('hello', null)];
      commit.apply({ version: 4, stores: [{ store: 'bank', changes: fourth }] });
      const { frozen, release } = commit.freeze();
      expect(hexOf(Buffer.concat(itemsOf(frozen)))).toBe(GOLDEN);
      release();
    });
  });

  it('is read back, however it is cut', () => {
    const golden = Buffer.from(GOLDEN, 'hex');
    const whole = visits([golden]);
    expect(whole).toEqual([
      ['store', 'bank'],
      ['leaf', hexOf(latin1('hello1')), hexOf(latin1('world1')), 2],
      ['leaf', hexOf(latin1('hello2')), '', 4],
      ['branch', 1, 4],
      ['store', 'evm'],
      ['leaf', hexOf(evmKey), '0000000000000007', 2],
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 })), (lengths) => {
        expect(visits(cut(golden, lengths))).toEqual(whole);
      }),
    );
  });

  it('keeps keys and values of any length', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      key: latin1(`${String(i).padStart(3, '0')}${'k'.repeat(i * 9)}`),
      value: latin1('v'.repeat(i * i * 2000)),
    }));
    await homes.withState({ evm: rows }, async (_commit, frozen) => {
      const blocks = itemsOf(frozen);
      expect(blocks.length).toBeGreaterThan(10);
      const leaves = visits(blocks).filter(([kind]) => kind === 'leaf');
      expect(leaves).toEqual(rows.map(({ key, value }) => ['leaf', hexOf(key), hexOf(value), 1]));
    });
  });
});

describe('the compressed stream', () => {
  const blocks = [3_000_000, 1, 40_000, 0, 1_500_000].map((length, i) =>
    Uint8Array.from({ length }, (_, at) => (at * (i + 3)) >> 4),
  );

  it('is one zlib stream, the same whatever the parallelism', async () => {
    const alone = await compressed(blocks, 1);
    for (const parallel of [0, 4]) expect(hexOf(await compressed(blocks, parallel))).toBe(hexOf(alone));
    expect(inflateSync(alone).equals(Buffer.concat(blocks))).toBe(true);
    expect(hexOf(alone.subarray(0, 2))).toBe('789c');
  });

  it('is decompressed a piece at a time, with the reader setting the pace', async () => {
    const stream = await compressed(blocks);
    const pieces: Uint8Array[] = [];
    let busy = 0;
    const inflate = new InflateStream(async (piece) => {
      expect(++busy).toBe(1);
      await new Promise((turn) => setImmediate(turn));
      pieces.push(piece);
      busy--;
    });
    for (const part of cut(stream, [1, 7, 4_000])) await inflate.write(part);
    await inflate.finish();
    expect(Buffer.concat(pieces).equals(Buffer.concat(blocks))).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1 << 20);
  });
});
