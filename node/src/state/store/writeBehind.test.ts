import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@chain/platform';
import { expect, it } from 'vitest';
import { openMemoryDb } from '../../db/index.ts';
import { MvccStore } from './mvccStore.ts';
import { createPruneMetrics } from './retention/pruneMetrics.ts';
import { Pruner } from './retention/pruner.ts';
import { block, textAt } from './stateStoreCompliance.ts';
import { StoreRouter } from './storeRouter.ts';
import { WriteBehind } from './writeBehind.ts';

async function openOver(asyncWriteBuffer: number) {
  const db = openMemoryDb();
  const base = new MvccStore({ headCacheBytes: 1 << 20, listSuperseded: false }, { db });
  await base.initialise();
  const writer = new WriteBehind({ version: 0 }, { members: [base] });
  const pruner = new Pruner(
    { keepRecent: 0, intervalSeconds: 0, compactAfterBytes: 0 },
    {
      base,
      durableVersion: () => writer.written,
      logger: silentLogger,
      metrics: createPruneMetrics(undefined),
    },
  );
  return { db, store: new StoreRouter({ asyncWriteBuffer, version: 0 }, { base, writer, pruner }) };
}

it('gives a failure of the writer to the next block, and goes on answering reads', async () => {
  const { db, store } = await openOver(10);
  await store.apply(block(1, { bank: { k: 'a' } }));
  await store.flushed();
  const batch = db.batch.bind(db);
  db.batch = () => Promise.reject(new RangeError('disk full'));
  await store.apply(block(2, { bank: { k: 'b' } }));
  await expect(store.flushed()).rejects.toMatchObject({
    code: 'STORE_WRITE_FAILED',
    message: expect.stringContaining('disk full'),
  });
  db.batch = batch;
  await expect(store.apply(block(3, {}))).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' });
  expect([store.latestVersion, store.durableVersion]).toEqual([2, 1]);
  expect(textAt(store, 'bank', 'k', 1)).toBe('a');
  expect(textAt(store, 'bank', 'k', 2)).toBe('b');
  await store.close();
});

/** A store with block 1 on its way into a batch and block 2 prepared behind it; `write` does what a batch does. */
async function openWithTwoBatches(write: () => Promise<void>) {
  const { db, store } = await openOver(10);
  const batch = db.batch.bind(db);
  const getMany = db.getMany.bind(db);
  const reading = Promise.withResolvers<void>();
  const staged = Promise.withResolvers<void>();
  let batches = 0;
  db.getMany = async (keys) => {
    reading.resolve();
    await staged.promise;
    return getMany(keys);
  };
  const writing = Promise.withResolvers<void>();
  db.batch = async (operations, options) => {
    batches++;
    writing.resolve();
    await write();
    return batch(operations, options);
  };
  await store.apply(block(1, { bank: { k: 'a' } }));
  await reading.promise;
  await store.apply(block(2, { bank: { k: 'b' } }));
  staged.resolve();
  await writing.promise;
  // Preparing block 2 reads nothing, so a turn of the event loop later it is done.
  await setImmediate();
  return { store, batches: () => batches };
}

it('never writes a batch that was prepared behind one that failed', async () => {
  const failing = Promise.withResolvers<never>();
  const { store, batches } = await openWithTwoBatches(() => failing.promise);
  failing.reject(new RangeError('disk full'));
  await expect(store.flushed()).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' });
  await store.close();
  expect([batches(), store.durableVersion]).toEqual([1, 0]);
  expect([1, 2].map((version) => textAt(store, 'bank', 'k', version))).toEqual(['a', 'b']);
});

it('grows a key by a batch prepared during the write of the one before', async () => {
  const go = Promise.withResolvers<void>();
  const { store, batches } = await openWithTwoBatches(() => go.promise);
  expect(batches()).toBe(1);
  expect([1, 2].map((version) => textAt(store, 'bank', 'k', version))).toEqual(['a', 'b']);
  go.resolve();
  await store.apply(block(3, { bank: { k: null } }));
  await store.flushed();
  expect(store.durableVersion).toBe(3);
  expect(batches()).toBeGreaterThanOrEqual(2);
  expect([1, 2, 3].map((version) => textAt(store, 'bank', 'k', version))).toEqual(['a', 'b', undefined]);
  await store.close();
});

it('writes before apply resolves when the buffer is 0, and reports the failure there', async () => {
  const { db, store } = await openOver(0);
  await store.apply(block(5, { bank: { k: 'a' } }));
  expect(store.durableVersion).toBe(5);
  await db.close();
  await expect(store.apply(block(6, {}))).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' });
  await store.close();
});
