import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchOperation, KeyValueDb } from '../db/index.ts';
import { eventRows } from './events/eventRows.ts';
import type { LogIndex } from './index/logIndex.ts';
import { decodeBlockRecord } from './record/decodeRecord.ts';
import { blockRows, decodePlace, indexBlock, recordHeight, recordKey } from './rows.ts';

interface Parts {
  readonly db: KeyValueDb;
  readonly index: LogIndex;
}

/** Blocks whose table files are compacted together. */
const COMPACT_BLOCKS = 10_000;

/**
 * Deletes the blocks below `floor`, which must be on disk as the floor already; what an earlier call left undone is
 * found again. Resolves to the number of blocks.
 */
export async function pruneBlocks(
  floor: number,
  { db, index }: Parts,
  isStopped: () => boolean,
): Promise<number> {
  const range = { start: recordKey(0), end: recordKey(floor) };
  let blocks = 0;
  for await (const [key, encoded] of db.iterate(range)) {
    if (isStopped()) return blocks;
    // Sections first: where they begin is known only while the oldest record is there.
    if (blocks === 0) await index.pruneBefore(floor, recordHeight(key));
    await db.batch(rowsToDelete(encoded, db));
    blocks++;
    // A decoded record of a full block takes some milliseconds: reads get their turn after each.
    await nextTurn();
  }
  if (blocks >= COMPACT_BLOCKS) await db.compaction?.compact(range.start, range.end);
  return blocks;
}

/** Rows of a block; one that a later block with the same transaction has taken over stays. */
export function rowsToDelete(encoded: Uint8Array, db: KeyValueDb): BatchOperation[] {
  const block = indexBlock(decodeBlockRecord(encoded), encoded);
  const own = blockRows(block).filter(({ key }) => placeOf(key, block.height, db) === block.height);
  return [...own, ...eventRows(block.record)].map(({ key }) => ({ type: 'del', key }));
}

/** The height that a row belongs to now. */
function placeOf(key: Uint8Array, height: number, db: KeyValueDb): number | undefined {
  if (Buffer.compare(key, recordKey(height)) === 0) return height;
  const value = db.get(key);
  return value && decodePlace(value).height;
}
