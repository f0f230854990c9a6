import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
} from 'cosmjs-types/tendermint/abci/types';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SnapshotTaker, type SnapshotTakerDeps } from '../../node/src/consensus/index.ts';
import {
  encodeChunkHashes,
  isRestoring,
  type SnapshotDescription,
} from '../../node/src/state/snapshot/index.ts';
import {
  BANK_ROWS,
  compressed,
  described,
  EVM_ROWS,
  itemsOf,
  type MadeSnapshot,
  offer,
  SnapshotHomes,
  targetOf,
  withRestored,
} from '../../node/src/state/snapshot/snapshot.fixture.ts';

const ATTACKS = Number(process.env.SNAPSHOT_ATTACKS ?? 1);

type Made = MadeSnapshot & { readonly appHash: Uint8Array };

const homes = new SnapshotHomes();
afterAll(() => homes.remove());
let made: Made;
beforeAll(async () => {
  made = await homes.withState({ bank: BANK_ROWS, evm: EVM_ROWS }, async (_commit, frozen) => {
    const stream = await compressed(itemsOf(frozen));
    return { ...described(2, stream, 1_000), appHash: frozen.appHash };
  });
});

/** A node that takes snapshots, as CometBFT asks it. */
function openTaker(over: Partial<SnapshotTakerDeps> = {}) {
  const target = targetOf(homes.fresh(), { split: true });
  const restored: number[] = [];
  const taker = new SnapshotTaker({
    open: (description, appHash) => offer(description, target, appHash),
    hasRoom: async () => true,
    onProgress: () => undefined,
    onRefused: () => undefined,
    onRestored: async ({ height }) => void restored.push(height),
    logger: silentLogger,
    ...over,
  });
  const offerAll = (
    { chunkHashes, ...fields }: SnapshotDescription,
    { metadata = encodeChunkHashes(chunkHashes), appHash = made.appHash } = {},
  ) =>
    taker.offerSnapshot({
      snapshot: { ...fields, height: BigInt(fields.height), metadata },
      appHash,
    });
  const apply = async (index: number, chunk: Uint8Array, sender = 'honest') =>
    taker.applySnapshotChunk({ index, chunk, sender });
  return { taker, target, restored, offer: offerAll, apply };
}

async function applyAll(
  { apply }: ReturnType<typeof openTaker>,
  { chunks }: MadeSnapshot,
): Promise<ChunkResult[]> {
  const results: ChunkResult[] = [];
  for (const [index, chunk] of chunks.entries()) results.push((await apply(index, chunk)).result);
  return results;
}

const requireUnharmed = async (node: ReturnType<typeof openTaker>): Promise<void> => {
  expect(existsSync(node.target.evm)).toBe(false);
  expect(await node.offer(made.description)).toEqual({ result: OfferResult.ACCEPT });
  expect(new Set(await applyAll(node, made))).toEqual(new Set([ChunkResult.ACCEPT]));
  expect(node.restored).toEqual([2]);
};

describe('a snapshot from peers', () => {
  it('is restored into the split layout chunk by chunk, with the app hash of the light client', async () => {
    const node = openTaker();
    expect(await node.offer(made.description)).toEqual({ result: OfferResult.ACCEPT });
    expect(new Set(await applyAll(node, made))).toEqual(new Set([ChunkResult.ACCEPT]));
    expect(node.restored).toEqual([2]);
    await withRestored(node.target, async ({ commit, store }) => {
      expect(commit.appHash).toEqual(made.appHash);
      for (const { key, value } of EVM_ROWS) expect(store.get('evm', key, 2)).toEqual(value);
    });
  });

  it('begins at its first chunk when it is offered again', async () => {
    const node = openTaker();
    await node.offer(made.description);
    await node.apply(0, made.chunks[0]!);
    expect(await node.offer(made.description)).toEqual({ result: OfferResult.ACCEPT });
    expect(new Set(await applyAll(node, made))).toEqual(new Set([ChunkResult.ACCEPT]));
    expect(node.restored).toEqual([2]);
  });

  it('waits with another offer for the chunk that a CometBFT has left behind, the last one too', async () => {
    const node = openTaker();
    await node.offer(made.description);
    const left = node.apply(0, made.chunks[0]!);
    expect(await node.offer(made.description)).toEqual({ result: OfferResult.ACCEPT });
    expect(await left).toMatchObject({ result: ChunkResult.ACCEPT });
    const last = made.chunks.length - 1;
    for (let index = 0; index < last; index++) await node.apply(index, made.chunks[index]!);
    const whole = node.apply(last, made.chunks[last]!);
    await node.taker.idle();
    expect(node.restored).toEqual([2]);
    expect(await whole).toMatchObject({ result: ChunkResult.ACCEPT });
  });

  it('is left in the midst of a chunk when the node stops, without a failure', async () => {
    const node = openTaker();
    await node.offer(made.description);
    const left = node.apply(0, made.chunks[0]!);
    await node.taker.suspend();
    expect([ChunkResult.ACCEPT, ChunkResult.ABORT]).toContain((await left).result);
    expect(await node.offer(made.description)).toEqual({ result: OfferResult.ACCEPT });
    expect(new Set(await applyAll(node, made))).toEqual(new Set([ChunkResult.ACCEPT]));
    expect(node.restored).toEqual([2]);
  });
});

describe('a peer that lies', () => {
  it('about a snapshot is refused, with its sender where the lie shows', async () => {
    const node = openTaker();
    const { REJECT_FORMAT, REJECT_SENDER } = OfferResult;
    const lies: readonly (readonly [Partial<SnapshotDescription>, OfferResult])[] = [
      [{ format: 2 }, REJECT_FORMAT],
      [{ chunks: 0, chunkHashes: [] }, REJECT_SENDER],
      [{ chunks: 900 }, REJECT_SENDER],
      [{ height: 0 }, REJECT_SENDER],
      [{ hash: new Uint8Array(20) }, REJECT_SENDER],
    ];
    for (const [over, result] of lies) {
      expect(await node.offer({ ...made.description, ...over })).toEqual({ result });
    }
    const garbage = Uint8Array.from({ length: 99 }, () => 0xff);
    for (const metadata of [garbage, new Uint8Array(5 << 20)]) {
      expect(await node.offer(made.description, { metadata })).toEqual({ result: REJECT_SENDER });
    }
    await requireUnharmed(node);
  });

  it('about a size that the disk does not have does not end the sync, and is told', async () => {
    const refused: string[] = [];
    const node = openTaker({
      hasRoom: async (bytes) => bytes < 1e11,
      onRefused: (height, reason) => refused.push(`${height}: ${reason}`),
    });
    const chunkHashes = Array.from({ length: 100_000 }, () => new Uint8Array(32));
    const huge = { ...made.description, chunks: chunkHashes.length, chunkHashes };
    expect(await node.offer(huge)).toEqual({ result: OfferResult.REJECT });
    expect(refused).toEqual([expect.stringMatching(/^2: the disk has no room/)]);
    await requireUnharmed(node);
  });

  it('about a chunk is sent away, and the chunk asked of somebody else', async () => {
    const node = openTaker();
    await node.offer(made.description);
    for (const [index, chunk] of made.chunks.entries()) {
      const wrong = Uint8Array.from(chunk);
      wrong[0]! ^= 1;
      expect(await node.apply(index, wrong, `liar-${index}`)).toEqual({
        result: ChunkResult.RETRY,
        refetchChunks: [index],
        rejectSenders: [`liar-${index}`],
      });
      expect((await node.apply(index, chunk)).result).toBe(ChunkResult.ACCEPT);
    }
    expect(node.restored).toEqual([2]);
  });

  it('cannot keep it busy: a chunk that nobody has right ends the snapshot', async () => {
    const node = openTaker();
    await node.offer(made.description);
    const results: ChunkResult[] = [];
    for (let sender = 0; results.at(-1) !== ChunkResult.REJECT_SNAPSHOT; sender++) {
      expect(sender).toBeLessThan(20);
      results.push((await node.apply(0, Uint8Array.of(sender), `liar-${sender}`)).result);
    }
    expect(isRestoring(node.target.home)).toBe(false);
    await requireUnharmed(node);
  });

  it('with chunks that are endless is refused at the first', async () => {
    const node = openTaker();
    await node.offer(made.description);
    const { result, rejectSenders } = await node.apply(0, new Uint8Array((16 << 20) + 1), 'liar');
    expect([result, rejectSenders]).toEqual([ChunkResult.RETRY, ['liar']]);
    await applyAll(node, made);
    expect(node.restored).toEqual([2]);
  });

  it('and fills the disk is stopped before it is full', async () => {
    let left = 3;
    const node = openTaker({ hasRoom: async () => left-- > 0 });
    await node.offer(made.description);
    const results: ChunkResult[] = [];
    for (const [index, chunk] of made.chunks.slice(0, 3).entries()) {
      results.push((await node.apply(index, chunk, 'liar')).result);
    }
    expect(results).toEqual([ChunkResult.ACCEPT, ChunkResult.ACCEPT, ChunkResult.REJECT_SNAPSHOT]);
    left = 1e6;
    await requireUnharmed(node);
  });

  it('with chunks of the right hashes and nonsense in them is found out', async () => {
    const node = openTaker();
    const lies = described(
      2,
      Buffer.from('this is no stream of items, whatever its hash says '.repeat(90)),
      1_000,
    );
    expect(await node.offer(lies.description)).toEqual({ result: OfferResult.ACCEPT });
    expect(await applyAll(node, lies)).toContain(ChunkResult.REJECT_SNAPSHOT);
    await requireUnharmed(node);
  });

  it(`in any way, ${ATTACKS} at random, restores nothing but the truth and leaves no harm`, async () => {
    const truth = Buffer.concat(made.chunks);
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.integer({ min: 0, max: 400 }),
      put: fc.uint8Array({ maxLength: 400 }),
    });
    const attack = fc.record({
      edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
      size: fc.integer({ min: 100, max: 3000 }),
    });
    await fc.assert(
      fc.asyncProperty(attack, async ({ edits, size }) => {
        const stream = edits.reduce((bytes, { at, cut, put }) => {
          const from = Math.floor(at * bytes.length);
          return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)]);
        }, truth);
        fc.pre(!stream.equals(truth) && stream.length > 0);
        const node = openTaker();
        const lies = described(2, stream, size);
        if ((await node.offer(lies.description)).result === OfferResult.ACCEPT) {
          const results = await applyAll(node, lies);
          // What decompresses to the same items is the truth, however it is written.
          if (node.restored.length > 0) {
            await withRestored(node.target, async ({ commit }) =>
              expect(commit.appHash).toEqual(made.appHash),
            );
            return;
          }
          expect(results).toContain(ChunkResult.REJECT_SNAPSHOT);
        }
        expect(isRestoring(node.target.home)).toBe(false);
        await requireUnharmed(node);
      }),
      { numRuns: ATTACKS },
    );
  });

  it('with a state of its own is found out by the app hash', async () => {
    const forged = await homes.withState(
      { bank: BANK_ROWS.slice(1), evm: EVM_ROWS },
      async (_commit, frozen) => described(2, await compressed(itemsOf(frozen)), 1_000),
    );
    const node = openTaker();
    await node.offer(forged.description);
    expect((await applyAll(node, forged)).at(-1)).toBe(ChunkResult.REJECT_SNAPSHOT);
    expect(existsSync(join(node.target.home, 'data/committer.db'))).toBe(false);
    await requireUnharmed(node);
  });
});

describe('this machine', () => {
  it('ends the sync where its home has a chain, and says why', async () => {
    const node = openTaker({
      open: async () => {
        throw new RangeError('occupied');
      },
    });
    expect(await node.offer(made.description)).toEqual({ result: OfferResult.ABORT });
    expect((await node.apply(0, made.chunks[0]!)).result).toBe(ChunkResult.ABORT);
  });
});
