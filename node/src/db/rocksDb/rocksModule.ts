import { createRequire } from 'node:module';

/** What is used of the package, which has no types of its own. Keys and values are Buffers. */
export interface RocksDatabase {
  /** The native database: another thread of the process opens the same one by it. */
  readonly handle: bigint;
  open(options?: RocksOpenOptions): Promise<void>;
  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | null | undefined)[]>;
  /** The package's only synchronous read. `null` where the read was aborted. */
  _getManySync(keys: readonly Uint8Array[], options: object): (Uint8Array | null | undefined)[];
  batch(): RocksBatch;
  iterator(options: {
    readonly gte?: Uint8Array;
    readonly lt?: Uint8Array;
    readonly reverse?: boolean;
  }): RocksIterator;
  close(): Promise<void>;
}

export interface RocksOpenOptions {
  readonly createIfMissing: boolean;
  readonly cacheSize: number;
  readonly memtableMemoryBudget: number;
  readonly compaction: 'level';
  readonly walCompression: boolean;
  readonly parallelism: number;
}

/** The underscored forms are those of abstract-level's contract without its checks and clones. */
export interface RocksBatch {
  _put(key: Uint8Array, value: Uint8Array): void;
  _del(key: Uint8Array): void;
  _writeSync(options: { readonly sync: boolean }): void;
  _closeSync(): void;
}

export interface RocksIterator {
  nextv(size: number): Promise<(readonly [Uint8Array, Uint8Array])[]>;
  close(): Promise<void>;
}

export interface RocksModule {
  readonly RocksLevel: new (
    place: string | bigint,
    options: { readonly keyEncoding: 'buffer'; readonly valueEncoding: 'buffer' },
  ) => RocksDatabase;
}

/**
 * The package, which is optional. Throws whatever `require` does. Imports nothing else, for the thread that
 * writes starts with it.
 */
export function requireRocksDb(): RocksModule {
  return createRequire(import.meta.url)('@nxtedition/rocksdb') as RocksModule;
}

/**
 * A database at a path, or, by its handle, one that another thread of this process has. Call `open` in the same
 * turn: the package begins to open by itself in the next, with options of its own.
 */
export function createRocksDatabase({ RocksLevel }: RocksModule, place: string | bigint): RocksDatabase {
  return new RocksLevel(place, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
}
