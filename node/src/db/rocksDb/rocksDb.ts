import { availableParallelism } from 'node:os';
import { CodedError } from '@chain/platform';
import { claimDirectory } from '../databaseDirectory.ts';
import { prepareDatabase, settleDatabase } from '../databaseFiles.ts';
import { DbErrors } from '../dbErrors.ts';
import { EngineCalls } from '../engineCalls.ts';
import { gatherBatch } from '../gatheredBatch.ts';
import type { BatchOperation, DbHandle, DbOptions, DbRange, KeyValueDb, PutBatch } from '../keyValueDb.ts';
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
  /**
   * The package cannot ask for it, nor set options of a running database: RocksDB drops deleted rows as it merges
   * levels for new ones, and, its option `ttl` being what it is by default, in tables that are 30 days old.
   */
  readonly compaction = undefined;
  readonly #rocks: RocksDatabase;
  readonly #calls: EngineCalls;
  readonly #writer: RocksDbWriter;

  constructor({ rocks, directory }: { rocks: RocksDatabase; directory: string }, errors: DbErrors) {
    this.handle = { engine: 'rocksdb', directory, address: rocks.handle };
    this.#rocks = rocks;
    this.#calls = new EngineCalls(errors);
    this.#writer = new RocksDbWriter(rocks.handle);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    // The native side does not check: a read of a closed database ends the process.
    this.#calls.assertOpen();
    try {
      return found(this.#rocks._getManySync([key], NO_OPTIONS)[0]);
    } catch (cause) {
      throw this.#calls.failure('read', cause);
    }
  }

  has(key: Uint8Array): boolean {
    return this.get(key) !== undefined;
  }

  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#calls.run('read', async () => (await this.#rocks.getMany(keys)).map(found));
  }

  /** With `sync` RocksDB syncs every log that is not yet synced, the current one last. */
  batch(operations: readonly BatchOperation[], { sync = false } = {}): Promise<void> {
    return this.#calls.run('write', () => this.#writer.write(operations, sync));
  }

  startBatch(): PutBatch {
    return gatherBatch(this);
  }

  iterate({ start, end, reverse = false }: DbRange = {}) {
    return this.#calls.rows(() =>
      this.#rocks.iterator({ ...(start && { gte: start }), ...(end && { lt: end }), reverse }),
    );
  }

  close(): Promise<void> {
    return this.#calls.close(() => this.#writer.close().then(() => this.#rocks.close()));
  }
}

function found(value: Uint8Array | null | undefined): Uint8Array | undefined {
  if (value === null) throw new CodedError('DB_FAILED', 'the read was aborted');
  return value;
}
