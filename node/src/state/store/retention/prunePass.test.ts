import { expect, it, vi } from 'vitest';
import { openMemoryDb } from '../../../db/index.ts';
import { KEY_ROWS } from '../rowKey.ts';
import { type PrunedStore, prunePass } from './prunePass.ts';

it('reads no rows to learn the size of a database whose engine compacts by itself', async () => {
  const db = openMemoryDb();
  await db.batch([{ type: 'put', key: KEY_ROWS.start, value: new Uint8Array(100) }]);
  const iterate = vi.spyOn(db, 'iterate');
  const store: PrunedStore = {
    db,
    listedFrom: 0,
    rewriteHeads: async () => 0,
    markListed: async () => undefined,
    addWaste: async (bytes) => bytes,
  };
  await prunePass(store, { floor: 10, compactAfterBytes: 0, isStopped: () => false });
  expect(iterate.mock.calls.map(([range]) => range)).not.toContainEqual(KEY_ROWS);
});
