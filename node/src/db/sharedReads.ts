import { DbErrors } from './dbErrors.ts';
import type { DbHandle, KeyValueDb } from './keyValueDb.ts';
import { openSharedLevelDb } from './levelDb.ts';
import { loadRocksDb } from './rocksDb/rocksDbPackage.ts';
import { createRocksDatabase } from './rocksDb/rocksModule.ts';

const NO_OPTIONS = {};

/** Point reads of a database that another thread of this process has open. */
export interface SharedReads extends Pick<KeyValueDb, 'get'> {
  close(): Promise<void>;
}

/** Opens a database by the handle that its owner gave. It must be closed, or its thread ended, before the owner closes. */
export function openSharedReads(handle: DbHandle): Promise<SharedReads> {
  return handle.engine === 'leveldb' ? openSharedLevelDb(handle.directory) : openRocksReads(handle);
}

async function openRocksReads({
  address,
  directory,
}: Extract<DbHandle, { engine: 'rocksdb' }>): Promise<SharedReads> {
  const rocks = createRocksDatabase(loadRocksDb(), address);
  const errors = new DbErrors(directory);
  await rocks.open();
  let isClosed = false;
  return {
    get: (key) => {
      if (isClosed) throw errors.closed();
      return rocks._getManySync([key], NO_OPTIONS)[0] ?? undefined;
    },
    // The package lets go of a shared database when its thread ends; asked to close one, it ends the process.
    close: async () => {
      isClosed = true;
    },
  };
}
