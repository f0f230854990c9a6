import { existsSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeDescription, encodeDescription, type SnapshotDescription } from '../description.ts';
import {
  BANK_ROWS,
  compressed,
  described,
  itemsOf,
  latin1,
  type MadeSnapshot,
  offer,
  restoreAll,
  SnapshotHomes,
  targetOf,
} from '../snapshot.fixture.ts';

const homes = new SnapshotHomes();
afterAll(() => homes.remove());

let good: MadeSnapshot;
let items: Uint8Array;
let appHash: Uint8Array;
beforeAll(async () => {
  await homes.withState({ bank: BANK_ROWS }, async (_commit, frozen) => {
    items = Buffer.concat(itemsOf(frozen));
    appHash = frozen.appHash;
    good = described(2, await compressed([items]), 1_000);
  });
});

describe('an offer', () => {
  const lies: Record<string, [string, (it: SnapshotDescription) => Partial<SnapshotDescription>]> = {
    'of another format': ['SNAPSHOT_FORMAT', () => ({ format: 2 })],
    'of height 0': ['SNAPSHOT_DESCRIPTION', () => ({ height: 0 })],
    'without a chunk': ['SNAPSHOT_DESCRIPTION', () => ({ chunks: 0, chunkHashes: [] })],
    'with a hash too few': ['SNAPSHOT_DESCRIPTION', (it) => ({ chunks: it.chunks + 1 })],
    'with endless chunks': ['SNAPSHOT_DESCRIPTION', () => ({ chunks: 2 ** 40 })],
    'with a short hash': ['SNAPSHOT_DESCRIPTION', () => ({ hash: new Uint8Array(31) })],
  };
  it.each(Object.keys(lies))('%s is refused, and nothing is touched', async (name) => {
    const [code, change] = lies[name]!;
    const target = targetOf(homes.fresh());
    const description = { ...good.description, ...change(good.description) };
    await expect(offer(description, target, appHash)).rejects.toMatchObject({ code });
    expect(existsSync(target.home)).toBe(false);
    expect(() => decodeDescription(encodeDescription(description))).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('survives the wire', () => {
    expect(decodeDescription(encodeDescription(good.description))).toMatchObject({ height: 2, format: 1 });
    expect(() => decodeDescription(latin1('\x22\xff'))).toThrow('protobuf');
  });
});

describe('a chunk', () => {
  it('that is damaged, cut or endless is refused, and the right one taken after it', async () => {
    const { description, chunks } = good;
    const restore = await offer(description, targetOf(homes.fresh()), appHash);
    const flipped = chunks[0]!.map((byte, i) => (i === 500 ? byte ^ 1 : byte));
    for (const bad of [flipped, chunks[0]!.subarray(1), new Uint8Array(17 << 20), chunks[1]!]) {
      await expect(restore.applyChunk(0, bad)).rejects.toMatchObject({ code: 'SNAPSHOT_CHUNK_HASH' });
    }
    for (const index of [1, -1, 99]) {
      const early = restore.applyChunk(index, chunks[0]!);
      await expect(early).rejects.toMatchObject({ code: 'SNAPSHOT_CHUNK_ORDER' });
    }
    await restore.applyChunk(0, chunks[0]!);
    await expect(restore.finish()).rejects.toMatchObject({ code: 'SNAPSHOT_CHUNK_ORDER' });
    for (let index = 1; index < chunks.length; index++) await restore.applyChunk(index, chunks[index]!);
    await restore.finish();
  });
});

/** A leaf of `bank` with a value of so many zero bytes. */
function leaf(key: string, zeros: number): Uint8Array {
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
  const message = [0x0a, key.length, ...latin1(key), ...(zeros > 0 ? [0x12, ...varint(zeros)] : [])];
  const length = varint(message.length + zeros + 2);
  const item = varint(1 + length.length + message.length + zeros + 2);
  return Buffer.concat([
    Uint8Array.from([...item, 0x12, ...length, ...message]),
    new Uint8Array(zeros),
    Uint8Array.of(0x18, 1),
  ]);
}
const BANK = Uint8Array.from([8, 0x0a, 6, 0x0a, 4, ...latin1('bank')]);

describe('a stream that hashes right and', () => {
  const streams: Record<string, [string, () => Promise<Uint8Array> | Uint8Array]> = {
    'is no zlib': ['SNAPSHOT_STREAM', () => latin1('no zlib stream at all')],
    'is empty': ['SNAPSHOT_STREAM', () => deflateSync(new Uint8Array(0))],
    'is cut short': ['SNAPSHOT_STREAM', async () => (await compressed([items])).slice(0, -200)],
    'lacks its checksum': ['SNAPSHOT_STREAM', async () => (await compressed([items])).slice(0, -4)],
    'goes on behind its end': [
      'SNAPSHOT_STREAM',
      async () => Buffer.concat([await compressed([items]), items]),
    ],
    'ends within an item': ['SNAPSHOT_STREAM', () => compressed([items.subarray(0, -1)])],
    'ends within a tree': [
      'STATE_COMMIT_IMPORT',
      () => deflateSync(Buffer.concat([BANK, leaf('a', 0), leaf('b', 0)])),
    ],
    'has an item of 2^40 bytes': ['SNAPSHOT_STREAM', () => deflateSync(latin1('\x80\x80\x80\x80\x80\x20'))],
    'has an extension': [
      'SNAPSHOT_STREAM',
      () => deflateSync(Buffer.concat([items, latin1('\x04\x1a\x02\x0a\x00')])),
    ],
    'has an unknown item': [
      'SNAPSHOT_STREAM',
      () => deflateSync(Buffer.concat([items, latin1('\x02\x2a\x00')])),
    ],
    'has another store': ['STATE_COMMIT_IMPORT', () => deflateSync(latin1('\x06\x0a\x04\x0a\x02ab'))],
    'repeats itself': ['STATE_COMMIT_IMPORT', () => compressed([items, items])],
    'has an empty key': ['STORE_IMPORT_KEY', () => deflateSync(Buffer.concat([BANK, leaf('', 0)]))],
    'is a bomb of one key': [
      'STATE_COMMIT_IMPORT',
      () => deflateSync(Buffer.concat([BANK, ...Array.from({ length: 50_000 }, () => leaf('k', 0))])),
    ],
    'is a bomb of zeros': [
      'SNAPSHOT_STREAM',
      () => deflateSync(Buffer.concat([BANK, ...['a', 'b', 'c', 'd'].map((key) => leaf(key, 60_000_000))])),
    ],
  };
  it.each(Object.keys(streams))('%s is refused, and nothing of it is kept', async (name) => {
    const [code, make] = streams[name]!;
    const target = targetOf(homes.fresh(), { split: true });
    const made = described(2, await make(), 50_000);
    await expect(restoreAll(made, target, appHash)).rejects.toMatchObject({ code });
    expect([target.commit, target.base, target.evm].filter((it) => existsSync(it))).toEqual([]);
  });
});
