import type { TableCheckOutcome } from './levelDbCheck/laterTableCheck.ts';

/** One write of a batch. A batch is written whole or not at all. */
export type BatchOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

/** A batch that is filled row by row, with no object for each. Written once, without `sync`. */
export interface PutBatch {
  /** Copies both: the caller may use their memory again. */
  put(key: Uint8Array, value: Uint8Array): void;
  write(): Promise<void>;
}

export interface DbOptions {
  readonly directory: string;
  /** Bytes of uncompressed blocks held in memory. */
  readonly cacheBytes?: number;
  /** Bytes of writes held in memory before they become a table file. */
  readonly writeBufferBytes?: number;
  /** Other threads of this process may read it by its handle. Who opened it must close it last. */
  readonly shared?: boolean;
  /**
   * LevelDB: the newest tables are checked before the database opens, so many bytes of them (64 MiB by default); the
   * rest while it is used, when somebody wants to know of it. Once one is found damaged every use throws DB_DAMAGED.
   */
  readonly bytesCheckedAtOpen?: number;
  readonly onTablesChecked?: (outcome: TableCheckOutcome) => void;
}

/** By what another thread of this process finds a database that is open here; plain, so that it can be sent. */
export type DbHandle =
  | { readonly engine: 'leveldb'; readonly directory: string }
  | { readonly engine: 'rocksdb'; readonly directory: string; readonly address: bigint };

/** Half-open, in byte order. */
export interface DbRange {
  readonly start?: Uint8Array;
  readonly end?: Uint8Array;
  readonly reverse?: boolean;
}

/** Giving back the space of deleted rows. */
export interface Compaction {
  /** Bytes on disk of a range, roughly; what is not yet in table files counts as nothing. Reads no rows. */
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
  compact(start: Uint8Array, end: Uint8Array): Promise<void>;
}

/**
 * An ordered key-value database. Point reads are synchronous, because the EVM's state edge is (spec S-21);
 * all else is not. Keys are not empty; values may be. Any use after `close` throws DB_CLOSED.
 */
export interface KeyValueDb {
  /** The caller must not write to the result. */
  get(key: Uint8Array): Uint8Array | undefined;
  has(key: Uint8Array): boolean;
  /** Off the main thread; results in the order of `keys`. */
  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /**
   * Atomic. With `sync` it resolves once it outlives a power loss; every batch whose call resolved before
   * does so earlier. Without it a power loss may take a batch and leave later ones.
   */
  batch(operations: readonly BatchOperation[], options?: { readonly sync?: boolean }): Promise<void>;
  /** For many rows; otherwise as `batch`. */
  startBatch(): PutBatch;
  /** Sees the database as it was at the first step, whatever is written meanwhile. */
  iterate(range?: DbRange): AsyncIterable<readonly [key: Uint8Array, value: Uint8Array]>;
  /** `undefined` where the engine gives back the space of deleted rows by itself, when it likes. */
  readonly compaction: Compaction | undefined;
  /** For `openSharedReads` in another thread; `undefined` where that is not possible. */
  readonly handle: DbHandle | undefined;
  /** Idempotent. */
  close(): Promise<void>;
}
