import { totalmem } from 'node:os';

/** LevelDB's own default, which covers 16 GB in tables of 16 MiB. */
const FEWEST = 1000;
/** LevelDB maps so many into memory, of all databases together (`scripts/native/levelDbBuild.ts`). */
const MOST = 16_384;
/** Of the memory there is, for the indexes of the tables that one database has open. */
const SHARE = 1 / 32;
/** An index is a hundredth of its table. */
const INDEX_SHARE = 1 / 100;

/**
 * Tables that one LevelDB keeps open: a read of another one opens it first, which costs several times the read. By
 * the memory of the container or the machine, for the index of an open table is there.
 */
export function openTables(tableBytes: number, memory = availableMemory()): number {
  const affordable = Math.floor((memory * SHARE) / (tableBytes * INDEX_SHARE));
  return Math.min(MOST, Math.max(FEWEST, affordable));
}

function availableMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
