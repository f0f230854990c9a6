import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyValueDb } from '../db/index.ts';
import { rowsToDelete } from './pruneBlocks.ts';
import { type Extent, extentRow, recordKey } from './rows.ts';

/** Deletes every block above `height`, newest first, each with its part of the extent: a crash leaves no hole. */
export async function truncateBlocks(height: number, { first, last }: Extent, db: KeyValueDb): Promise<void> {
  for (let newest = last; newest > height; newest--) {
    const encoded = db.get(recordKey(newest));
    const rows = encoded ? rowsToDelete(encoded, db) : [];
    await db.batch([...rows, extentRow({ first, last: newest - 1 })], { sync: newest === height + 1 });
    await nextTurn();
  }
}
