/**
 * Ordered key-value databases behind one interface.
 * Owns: classic-level, @nxtedition/rocksdb, the choice of a backend, who wrote a database directory.
 * Does not own: any key layout.
 * Invariants: a batch is atomic; a directory of another program or engine is never touched; use after close is an
 * error; so is a read of bytes that are not what was written (`missingChecksums`: LevelDB's only at the start).
 */
export { type DbEngine, ownerOf } from './databaseDirectory.ts';
export type {
  BatchOperation,
  Compaction,
  DbHandle,
  DbOptions,
  DbRange,
  KeyValueDb,
  PutBatch,
} from './keyValueDb.ts';
export { openLevelDb } from './levelDb.ts';
export { logTableCheck, type TableCheckOutcome } from './levelDbCheck/laterTableCheck.ts';
export { missingChecksums } from './levelDbPackage.ts';
export { openMemoryDb } from './memoryDb.ts';
export { availableBackends, type DbBackend, openKeyValueDb, requireBackend } from './openKeyValueDb.ts';
export { openSharedReads, type SharedReads } from './sharedReads.ts';
