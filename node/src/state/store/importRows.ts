import { join } from 'node:path';
import { CodedError, Lifecycle } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import { type BatchOperation, type KeyValueDb, openKeyValueDb } from '../../db/index.ts';
import { EVM_FAMILIES, type EvmFamily, evmFamilyOf } from './evmFamily.ts';
import { encodeHead } from './headRecord.ts';
import type { StateStoreOptions } from './openStateStore.ts';
import { headPrefixes, headRow } from './rowKey.ts';
import { EVM } from './storeRouter.ts';
import { earliestMarker, initialMarkers, latestMarker } from './versionMarkers.ts';

type Places = 'home' | 'backend' | 'split' | 'separateDbs' | 'baseDirectory' | 'evmDirectory';

export interface StoreImportOptions extends Pick<StateStoreOptions, Places> {
  /** The one version that every row gets. */
  readonly version: number;
}

const BATCH_ROWS = 4_000;
const BATCH_BYTES = 4 << 20;
/** Of all databases together; large, so that few table files are made. What is only written needs no cache. */
const WRITE_BUFFER_BYTES = 64 << 20;
const CACHE_BYTES = 1 << 20;
const NOTHING = new Uint8Array(0);

/**
 * Fills empty stores with the rows of one version, each row in the store that the router reads it from. Until
 * `complete` the stores have no markers, so a start takes them for empty.
 */
export class StoreImporter {
  readonly #version: number;
  readonly #base: BulkWriter;
  readonly #evm: BulkWriter | ReadonlyMap<EvmFamily, BulkWriter> | undefined;
  readonly #opened: Lifecycle;
  readonly #prefixOf = headPrefixes();

  private constructor(version: number, writers: Writers, opened: Lifecycle) {
    this.#version = version;
    this.#base = writers.base;
    this.#evm = writers.evm;
    this.#opened = opened;
  }

  /** The directories are absent or empty, or hold rows of the same import, `flush`ed or given again. Throws DB_… . */
  static async open(options: StoreImportOptions): Promise<StoreImporter> {
    const opened = new Lifecycle();
    try {
      return new StoreImporter(options.version, await openWriters(options, opened), opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /**
   * The row that replaces any earlier one of the same key. Ascending keys are the quickest. Wait for what it returns.
   * Throws STORE_IMPORT_KEY.
   */
  put(store: string, key: Uint8Array, value: Uint8Array): Promise<void> | undefined {
    if (key.length === 0) throw emptyKey(store);
    const head = encodeHead({ version: this.#version, value, spine: NOTHING, tail: [NOTHING, NOTHING] });
    return this.#writerOf(store, key).put(headRow(this.#prefixOf(store), key), head);
  }

  /** Resolves when all rows are synced. */
  async flush(): Promise<void> {
    for (const writer of this.#writers()) await writer.flush();
  }

  /** Makes the stores whole: markers in every database, synced. Only after `flush`. */
  async complete(): Promise<void> {
    const markers = [...initialMarkers(), latestMarker(this.#version), earliestMarker(this.#version)];
    for (const writer of this.#writers()) await writer.db.batch(markers, { sync: true });
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  #writerOf(store: string, key: Uint8Array): BulkWriter {
    if (store !== EVM || this.#evm === undefined) return this.#base;
    return this.#evm instanceof BulkWriter ? this.#evm : this.#evm.get(evmFamilyOf(key))!;
  }

  #writers(): BulkWriter[] {
    const evm = this.#evm;
    if (evm === undefined) return [this.#base];
    return [this.#base, ...(evm instanceof BulkWriter ? [evm] : evm.values())];
  }
}

function emptyKey(store: string): CodedError {
  return new CodedError(
    'STORE_IMPORT_KEY',
    `a row of store "${store}" has an empty key, which the state store cannot hold; take another snapshot`,
    { fields: { store } },
  );
}

interface Writers {
  readonly base: BulkWriter;
  readonly evm: BulkWriter | ReadonlyMap<EvmFamily, BulkWriter> | undefined;
}

async function openWriters(options: StoreImportOptions, opened: Lifecycle): Promise<Writers> {
  const { backend, home, split, separateDbs } = options;
  const open = async (directory: string): Promise<BulkWriter> => {
    const share = separateDbs ? EVM_FAMILIES.length : 1;
    const sizes = { cacheBytes: CACHE_BYTES, writeBufferBytes: Math.ceil(WRITE_BUFFER_BYTES / share) };
    return new BulkWriter(opened.own(await openKeyValueDb({ backend, directory, ...sizes })));
  };
  const base = await open(options.baseDirectory ?? join(home, DATA_DIRS[backend]));
  if (!split) return { base, evm: undefined };
  const evmDirectory = options.evmDirectory ?? join(home, DATA_DIRS.evmStore);
  if (!separateDbs) return { base, evm: await open(evmDirectory) };
  const families = new Map<EvmFamily, BulkWriter>();
  for (const family of EVM_FAMILIES) families.set(family, await open(join(evmDirectory, family)));
  return { base, evm: families };
}

/** Rows in batches: one is written while the next is gathered. */
class BulkWriter {
  readonly db: KeyValueDb;
  #operations: BatchOperation[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: KeyValueDb) {
    this.db = db;
  }

  put(key: Uint8Array, value: Uint8Array): Promise<void> | undefined {
    this.#operations.push({ type: 'put', key, value });
    this.#bytes += key.length + value.length;
    if (this.#operations.length < BATCH_ROWS && this.#bytes < BATCH_BYTES) return undefined;
    return this.#turn();
  }

  async flush(): Promise<void> {
    await this.#turn();
    await this.#writing;
    await this.db.batch([], { sync: true });
  }

  async #turn(): Promise<void> {
    const operations = this.#operations;
    this.#operations = [];
    this.#bytes = 0;
    await this.#writing;
    this.#writing = this.db.batch(operations);
    // Awaited by the next turn; until then a failure is nobody's.
    this.#writing.catch(() => undefined);
  }
}
