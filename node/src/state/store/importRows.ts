import { join } from 'node:path';
import { CodedError, Lifecycle } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import { type KeyValueDb, openKeyValueDb, type PutBatch } from '../../db/index.ts';
import {
  EVM_FAMILIES,
  type EvmFamily,
  type KeyPlace,
  type Layout,
  partsOf,
  placementAt,
} from '../schema/index.ts';
import { firstHeadLength, putFirstHead } from './headRecord.ts';
import type { StateStoreOptions } from './openStateStore.ts';
import { headPrefixes } from './rowKey.ts';
import { ScratchBytes } from './scratchBytes.ts';
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
const SHORT_BYTES = 256;

/** A row where its bytes lie. */
export interface ImportRow extends KeyPlace {
  readonly valueBytes: Uint8Array;
  readonly valueAt: number;
  readonly valueLength: number;
}

/**
 * Fills empty stores with the rows of one version, each row in the store that the router reads it from. Until
 * `complete` the stores have no markers, so a start takes them for empty.
 */
export class StoreImporter {
  readonly #version: number;
  readonly #writers: Layout<BulkWriter>;
  readonly #opened: Lifecycle;
  readonly #prefixOf = headPrefixes();
  readonly #keys = new ScratchBytes();
  readonly #heads = new ScratchBytes();

  private constructor(version: number, writers: Layout<BulkWriter>, opened: Lifecycle) {
    this.#version = version;
    this.#writers = writers;
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
  put(store: string, row: ImportRow): Promise<void> | undefined {
    const { keyLength, valueLength } = row;
    if (keyLength === 0) throw emptyKey(store);
    const prefix = this.#prefixOf(store);
    const key = this.#keys.of(prefix.length + keyLength);
    copy({ bytes: prefix, at: 0 }, { bytes: key, at: 0 }, prefix.length);
    copy({ bytes: row.keyBytes, at: row.keyAt }, { bytes: key, at: prefix.length }, keyLength);
    const head = this.#heads.of(firstHeadLength(valueLength));
    const at = putFirstHead(head, this.#version, valueLength);
    copy({ bytes: row.valueBytes, at: row.valueAt }, { bytes: head, at }, valueLength);
    return placementAt(this.#writers, store, row).put(key, head);
  }

  /** Resolves when all rows are synced. */
  async flush(): Promise<void> {
    for (const writer of partsOf(this.#writers)) await writer.flush();
  }

  /** Makes the stores whole: markers in every database, synced. Only after `flush`. */
  async complete(): Promise<void> {
    const markers = [...initialMarkers(), latestMarker(this.#version), earliestMarker(this.#version)];
    for (const writer of partsOf(this.#writers)) await writer.db.batch(markers, { sync: true });
  }

  close(): Promise<void> {
    return this.#opened.close();
  }
}

function emptyKey(store: string): CodedError {
  return new CodedError(
    'STORE_IMPORT_KEY',
    `a row of store "${store}" has an empty key, which the state store cannot hold; take another snapshot`,
    { fields: { store } },
  );
}

async function openWriters(options: StoreImportOptions, opened: Lifecycle): Promise<Layout<BulkWriter>> {
  const { backend, home, split, separateDbs } = options;
  const open = async (directory: string): Promise<BulkWriter> => {
    const share = separateDbs ? EVM_FAMILIES.length : 1;
    const sizes = { cacheBytes: CACHE_BYTES, writeBufferBytes: Math.ceil(WRITE_BUFFER_BYTES / share) };
    return new BulkWriter(opened.own(await openKeyValueDb({ backend, directory, ...sizes })));
  };
  const base = await open(options.baseDirectory ?? join(home, DATA_DIRS[backend]));
  if (!split) return { base };
  const evmDirectory = options.evmDirectory ?? join(home, DATA_DIRS.evmStore);
  if (!separateDbs) return { base, evm: await open(evmDirectory) };
  const families = new Map<EvmFamily, BulkWriter>();
  for (const family of EVM_FAMILIES) families.set(family, await open(join(evmDirectory, family)));
  return { base, evm: families };
}

/** Rows in batches: one is written while the next is gathered. */
class BulkWriter {
  readonly db: KeyValueDb;
  #batch: PutBatch | undefined;
  #rows = 0;
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: KeyValueDb) {
    this.db = db;
  }

  put(key: Uint8Array, value: Uint8Array): Promise<void> | undefined {
    this.#batch ??= this.db.startBatch();
    this.#batch.put(key, value);
    this.#rows++;
    this.#bytes += key.length + value.length;
    if (this.#rows < BATCH_ROWS && this.#bytes < BATCH_BYTES) return undefined;
    return this.#turn();
  }

  async flush(): Promise<void> {
    await this.#turn();
    await this.#writing;
    await this.db.batch([], { sync: true });
  }

  async #turn(): Promise<void> {
    const batch = this.#batch;
    this.#batch = undefined;
    this.#rows = 0;
    this.#bytes = 0;
    await this.#writing;
    if (batch === undefined) return;
    this.#writing = batch.write();
    // Awaited by the next turn; until then a failure is nobody's.
    this.#writing.catch(() => undefined);
  }
}

interface Place {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** For the few dozen bytes of a key or a value, quicker than a view; for more, a view is. */
function copy(from: Place, to: Place, length: number): void {
  if (length > SHORT_BYTES) to.bytes.set(from.bytes.subarray(from.at, from.at + length), to.at);
  else for (let i = 0; i < length; i++) to.bytes[to.at + i] = from.bytes[from.at + i]!;
}
