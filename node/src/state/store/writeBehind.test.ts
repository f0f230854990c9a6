import { expect, it } from 'vitest';
import { openMemoryDb } from '../../db/index.ts';
import { MvccStore } from './mvccStore.ts';
import { block, textAt } from './stateStoreCompliance.ts';
import { StoreRouter } from './storeRouter.ts';
import { WriteBehind } from './writeBehind.ts';

async function openOver(asyncWriteBuffer: number) {
  const db = openMemoryDb();
  const base = new MvccStore({ headCacheBytes: 1 << 20 }, { db });
  await base.initialise();
  const writer = new WriteBehind({ version: 0 }, { members: [base] });
  return { db, store: new StoreRouter({ asyncWriteBuffer, version: 0 }, { base, writer }) };
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

it('writes before apply resolves when the buffer is 0, and reports the failure there', async () => {
  const { db, store } = await openOver(0);
  await store.apply(block(5, { bank: { k: 'a' } }));
  expect(store.durableVersion).toBe(5);
  await db.close();
  await expect(store.apply(block(6, {}))).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' });
  await store.close();
});
