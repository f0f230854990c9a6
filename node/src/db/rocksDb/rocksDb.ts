import { availableParallelism } from 'node:os';
import { CodedError } from '@chain/platform';
import { claimDirectory } from '../databaseDirectory.ts';
import { prepareDatabase, settleDatabase } from '../databaseFiles.ts';
import { DbErrors } from '../dbErrors.ts';
import type { BatchOperation, DbHandle, DbOptions, DbRange, KeyValueDb } from '../keyValueDb.ts';
import { loadRocksDb } from './rocksDbPackage.ts';
import { RocksDbWriter } from './rocksDbWriter.ts';
import { createRocksDatabase, type RocksDatabase } from './rocksModule.ts';

/** A memory table takes a quarter of the budget. */
const TABLES_IN_BUDGET = 4;
const NO_OPTIONS = {};

/** Opens or creates a RocksDB. Throws DB_BACKEND_ABSENT, DB_FOREIGN_DIRECTORY, DB_OTHER_ENGINE, DB_OPEN_FAILED. */
export async function openRocksDb(options: DbOptions): Promise<KeyValueDb> {
  const { directory, cacheBytes = 64 << 20, writeBufferBytes = 16 << 20 } = options;
  const errors = new DbErrors(directory);
  const rocksModule = loadRocksDb();
  await claimDirectory(directory, 'rocksdb');
  let rocks: RocksDatabase | undefined;
  try {
    await prepareDatabase(directory);
    rocks = createRocksDatabase(rocksModule, directory);
    await rocks.open({
      createIfMissing: true,
      cacheSize: cacheBytes,
      memtableMemoryBudget: writeBufferBytes * TABLES_IN_BUDGET,
      compaction: 'level',
      walCompression: false,
      parallelism: Math.max(2, availableParallelism()),
    });
    await settleDatabase(directory);
    return new RocksDb({ rocks, directory }, errors);
  } catch (cause) {
    await rocks?.close();
    throw errors.cannotOpen(cause);
  }
}

class RocksDb implements KeyValueDb {
  readonly handle: DbHandle;
  readonly #rocks: RocksDatabase;
  readonly #errors: DbErrors;
  readonly #writer: RocksDbWriter;
  #closing: Promise<void> | undefined;

  constructor({ rocks, directory }: { rocks: RocksDatabase; directory: string }, errors: DbErrors) {
    this.handle = { engine: 'rocksdb', directory, address: rocks.handle };
    this.#rocks = rocks;
    this.#errors = errors;
    this.#writer = new RocksDbWriter(rocks.handle);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    // The native side does not check: a read of a closed database ends the process.
    this.#assertOpen();
    try {
      return found(this.#rocks._getManySync([key], NO_OPTIONS)[0]);
    } catch (cause) {
      throw this.#failure('read', cause);
    }
  }

  has(key: Uint8Array): boolean {
    return this.get(key) !== undefined;
  }

  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#run('read', async () => (await this.#rocks.getMany(keys)).map(found));
  }

  /** With `sync` RocksDB syncs every log that is not yet synced, the current one last. */
  batch(operations: readonly BatchOperation[], { sync = false } = {}): Promise<void> {
    return this.#run('write', () => this.#writer.write(operations, sync));
  }

  async *iterate({ start, end, reverse = false }: DbRange = {}) {
    this.#assertOpen();
    const iterator = this.#rocks.iterator({
      ...(start && { gte: start }),
      ...(end && { lt: end }),
      reverse,
    });
    try {
      for (let rows = await iterator.nextv(512); rows.length > 0; rows = await iterator.nextv(512)) {
        yield* rows;
      }
    } catch (cause) {
      throw this.#failure('iterate', cause);
    } finally {
      await iterator.close();
    }
  }

  /** The package has no estimate: counts the rows that are live. */
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number> {
    return this.#run('measure', async () => {
      let bytes = 0;
      for await (const [key, value] of this.iterate({ start, end })) bytes += key.length + value.length;
      return bytes;
    });
  }

  /** The package cannot ask for it: RocksDB drops deleted rows by itself as it merges levels. */
  async compact(): Promise<void> {
    this.#assertOpen();
  }

  close(): Promise<void> {
    this.#closing ??= this.#writer.close().then(() => this.#rocks.close());
    return this.#closing;
  }

  async #run<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    try {
      return await work();
    } catch (cause) {
      throw this.#failure(what, cause);
    }
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw this.#errors.closed();
  }

  #failure(what: string, cause: unknown): CodedError {
    return this.#closing !== undefined ? this.#errors.closed() : this.#errors.failed(what, cause);
  }
}

function found(value: Uint8Array | null | undefined): Uint8Array | undefined {
  if (value === null) throw new CodedError('DB_FAILED', 'the read was aborted');
  return value;
}
