import { claimDirectory } from './databaseDirectory.ts';
import { prepareDatabase, settleDatabase } from './databaseFiles.ts';
import { DbErrors } from './dbErrors.ts';
import { EngineCalls } from './engineCalls.ts';
import type {
  BatchOperation,
  Compaction,
  DbHandle,
  DbOptions,
  DbRange,
  KeyValueDb,
  PutBatch,
} from './keyValueDb.ts';
import { checkLevelDb } from './levelDbCheck/checkLevelDb.ts';
import { LaterTableCheck, type TableCheckOutcome } from './levelDbCheck/laterTableCheck.ts';
import { syncLogFiles } from './levelDbLog.ts';
import { ClassicLevel } from './levelDbPackage.ts';
import { openTables } from './openTables.ts';

type Level = InstanceType<typeof ClassicLevel<Uint8Array, Uint8Array>>;

// Larger table files than LevelDB's 2 MiB: fewer to open.
const TABLE_FILE_BYTES = 16 << 20;

/** Opens or creates a LevelDB. Throws DB_FOREIGN_DIRECTORY, DB_OTHER_ENGINE, DB_DAMAGED, DB_OPEN_FAILED. */
export async function openLevelDb(options: DbOptions): Promise<KeyValueDb> {
  const { directory, cacheBytes = 64 << 20, writeBufferBytes = 16 << 20, shared = false } = options;
  const errors = new DbErrors(directory);
  await claimDirectory(directory, 'leveldb');
  let level: Level | undefined;
  try {
    await prepareDatabase(directory);
    const unchecked = await checkLevelDb(directory, options.bytesCheckedAtOpen);
    // Nothing may be awaited between these two: by itself the object soon opens with settings of its own.
    level = new ClassicLevel(directory, { keyEncoding: 'view', valueEncoding: 'view' });
    await level.open({
      cacheSize: cacheBytes,
      writeBufferSize: writeBufferBytes,
      maxFileSize: TABLE_FILE_BYTES,
      maxOpenFiles: openTables(TABLE_FILE_BYTES),
      multithreading: shared,
    });
    await settleDatabase(directory);
    const db = new LevelDb({ directory, errors, shared }, level);
    if (options.onTablesChecked && unchecked.length > 0) db.checkLater(unchecked, options.onTablesChecked);
    return db;
  } catch (cause) {
    await level?.close();
    throw errors.cannotOpen(cause);
  }
}

/** Opens a database that another thread of this process opened as shared, and made ready. */
export async function openSharedLevelDb(directory: string): Promise<KeyValueDb> {
  const errors = new DbErrors(directory);
  const level: Level = new ClassicLevel(directory, { keyEncoding: 'view', valueEncoding: 'view' });
  try {
    await level.open({ createIfMissing: false, multithreading: true });
  } catch (cause) {
    throw errors.cannotOpen(cause);
  }
  return new LevelDb({ directory, errors, shared: true }, level);
}

class LevelDb implements KeyValueDb {
  readonly handle: DbHandle | undefined;
  readonly compaction: Compaction = {
    approximateSize: (start, end) =>
      this.#calls.run('measure', () => this.#level.approximateSize(start, end)),
    compact: (start, end) => this.#calls.run('compact', () => this.#level.compactRange(start, end)),
  };
  readonly #directory: string;
  readonly #calls: EngineCalls;
  readonly #level: Level;
  /** Some batch since the last synced one was written without `sync`. */
  #unsynced = false;
  #check: LaterTableCheck | undefined;

  constructor(
    place: { readonly directory: string; readonly errors: DbErrors; readonly shared: boolean },
    level: Level,
  ) {
    this.handle = place.shared ? { engine: 'leveldb', directory: place.directory } : undefined;
    this.#directory = place.directory;
    this.#calls = new EngineCalls(place.errors);
    this.#level = level;
  }

  checkLater(tables: readonly string[], onChecked: (outcome: TableCheckOutcome) => void): void {
    this.#check = new LaterTableCheck(this.#directory, tables, {
      onDone: (outcome) => {
        if (outcome.failure?.code === 'DB_DAMAGED') this.#calls.refuse(outcome.failure);
        onChecked(outcome);
      },
    });
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#calls.assertOpen();
    try {
      return this.#level.getSync(key);
    } catch (cause) {
      throw this.#calls.failure('read', cause);
    }
  }

  has(key: Uint8Array): boolean {
    return this.get(key) !== undefined;
  }

  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#calls.run('read', () => this.#level.getMany(keys as Uint8Array[]));
  }

  batch(operations: readonly BatchOperation[], { sync = false } = {}): Promise<void> {
    // A chained batch: the array form clones every operation, which costs more than the write itself.
    return this.#calls.run('write', async () => {
      const chained = this.#level.batch();
      for (const operation of operations) {
        if (operation.type === 'put') chained.put(operation.key, operation.value);
        else chained.del(operation.key);
      }
      // Before the write, not behind it: a synced batch must never be all that a power loss leaves.
      if (sync && this.#unsynced) await syncLogFiles(this.#directory);
      this.#unsynced = !sync;
      await chained.write({ sync });
    });
  }

  startBatch(): PutBatch {
    this.#calls.assertOpen();
    const chained = this.#level.batch();
    return {
      put: (key, value) => void chained.put(key, value),
      write: () => {
        this.#unsynced = true;
        return this.#calls.run('write', () => chained.write());
      },
    };
  }

  iterate({ start, end, reverse = false }: DbRange = {}) {
    return this.#calls.rows(() =>
      this.#level.iterator({ ...(start && { gte: start }), ...(end && { lt: end }), reverse }),
    );
  }

  close(): Promise<void> {
    return this.#calls.close(async () => {
      await this.#check?.stop();
      await this.#level.close();
    });
  }
}
