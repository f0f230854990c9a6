import { CodedError, isCodedError } from '@chain/platform';
import { type RocksModule, requireRocksDb } from './rocksModule.ts';

const PACKAGE = '@nxtedition/rocksdb';

/** Throws DB_BACKEND_ABSENT: the package is optional, and has native code for some platforms only. */
export function loadRocksDb(): RocksModule {
  try {
    return requireRocksDb();
  } catch (cause) {
    throw absent(cause);
  }
}

export function isRocksDbUsable(): boolean {
  try {
    loadRocksDb();
    return true;
  } catch (error) {
    if (isCodedError(error, 'DB_BACKEND_ABSENT')) return false;
    throw error;
  }
}

function absent(cause: unknown): CodedError {
  const missing = (cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
  const machine = `${process.platform}-${process.arch}`;
  const problem = missing ? 'is absent' : `has no native code for ${machine} that loads`;
  return new CodedError(
    'DB_BACKEND_ABSENT',
    `ss-backend = "rocksdb" is not in this build: package ${PACKAGE} ${problem}; set ss-backend = "pebbledb", or install the package`,
    { fields: { backend: 'rocksdb', package: PACKAGE, problem, machine }, cause },
  );
}
