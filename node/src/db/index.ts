/**
 * Ordered key-value databases behind one interface.
 * Owns: classic-level, the choice of a backend, who wrote a database directory. Does not own: any key layout.
 * Invariants: a batch is atomic; a directory of another program is never touched; use after close is an error.
 */
export type { BatchOperation, DbRange, KeyValueDb } from './keyValueDb.ts';
export { type LevelDbOptions, openLevelDb } from './levelDb.ts';
export { openMemoryDb } from './memoryDb.ts';
export { type DbBackend, openKeyValueDb, requireBackend } from './openKeyValueDb.ts';
