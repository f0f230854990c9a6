import { registerHooks } from 'node:module';
import { isCodedError } from '@chain/platform';
import { availableBackends, openKeyValueDb } from './openKeyValueDb.ts';

/** A child process without the package of RocksDB: prints what opening one in `directory` gives. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== '@nxtedition/rocksdb') return next(specifier, context);
    throw Object.assign(new TypeError(`Cannot find module ${specifier}`), { code: 'MODULE_NOT_FOUND' });
  },
});
const directory = process.argv[2]!;
try {
  await openKeyValueDb({ backend: 'rocksdb', directory });
} catch (error) {
  if (!isCodedError(error)) throw error;
  const { code, message } = error;
  process.stdout.write(JSON.stringify({ available: availableBackends(), code, message }));
}
