import type { DbOptions, KeyValueDb } from './keyValueDb.ts';
import { openLevelDb } from './levelDb.ts';
import { openRocksDb } from './rocksDb/rocksDb.ts';
import { isRocksDbUsable, loadRocksDb } from './rocksDb/rocksDbPackage.ts';

/** The names that `ss-backend` takes. `pebbledb` is LevelDB here: the same kind of tree, the same directory. */
export type DbBackend = 'pebbledb' | 'rocksdb';

/**
 * Opens a database with the configured backend. Throws DB_BACKEND_ABSENT, DB_FOREIGN_DIRECTORY,
 * DB_OTHER_ENGINE, DB_OPEN_FAILED.
 */
export function openKeyValueDb(options: DbOptions & { readonly backend: DbBackend }): Promise<KeyValueDb> {
  return options.backend === 'rocksdb' ? openRocksDb(options) : openLevelDb(options);
}

/** Throws DB_BACKEND_ABSENT when this build cannot open the backend; nothing is touched. */
export function requireBackend(backend: DbBackend): void {
  if (backend === 'rocksdb') loadRocksDb();
}

/** What this build can open on this machine. */
export function availableBackends(): readonly DbBackend[] {
  return isRocksDbUsable() ? ['pebbledb', 'rocksdb'] : ['pebbledb'];
}
