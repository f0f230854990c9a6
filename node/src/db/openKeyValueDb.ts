import { CodedError } from '@chain/platform';
import type { KeyValueDb } from './keyValueDb.ts';
import { type LevelDbOptions, openLevelDb } from './levelDb.ts';

/** The names that `ss-backend` takes. `pebbledb` is LevelDB here: the same kind of tree, the same directory. */
export type DbBackend = 'pebbledb' | 'rocksdb';

/** Opens a database with the configured backend. Throws DB_BACKEND_ABSENT, DB_FOREIGN_DIRECTORY, DB_OPEN_FAILED. */
export async function openKeyValueDb(
  options: LevelDbOptions & { readonly backend: DbBackend },
): Promise<KeyValueDb> {
  requireBackend(options.backend);
  return openLevelDb(options);
}

/** Throws DB_BACKEND_ABSENT when this build cannot open the backend; nothing is touched. */
export function requireBackend(backend: DbBackend): void {
  if (backend === 'pebbledb') return;
  throw new CodedError(
    'DB_BACKEND_ABSENT',
    `ss-backend = "${backend}" is not in this build: package @nxtedition/rocksdb is absent; set ss-backend = "pebbledb"`,
    { fields: { backend, package: '@nxtedition/rocksdb' } },
  );
}
