import type { StoreChanges } from '../../types/index.ts';

/** Reads of single keys at one version; synchronous, because the EVM's state edge is (spec S-21). */
export interface PointReads {
  /** The value, possibly empty; `undefined` when the key is absent. The caller must not write to it. */
  get(store: string, key: Uint8Array): Uint8Array | undefined;
}

/** A half-open range of keys of one store, in byte order. */
export interface KeyRange {
  readonly start?: Uint8Array;
  readonly end?: Uint8Array;
  readonly reverse?: boolean;
}

export type KeyValue = readonly [key: Uint8Array, value: Uint8Array];

/** Ordered reads; only the newest state (SC) and overlays over it offer them synchronously. */
export interface RangeReads {
  iterate(store: string, range?: KeyRange): Iterable<KeyValue>;
}

/** What a block runs on: rows by key and in order. */
export interface StateReads extends PointReads, RangeReads {}

/** The state before genesis. */
export const EMPTY_STATE: StateReads = { get: () => undefined, iterate: () => [] };

/** All rows of one version: they stay as they are, whatever is written meanwhile. */
export interface FrozenRows {
  readonly version: number;
  readonly count: number;
  /** In parts of so many rows, the last one less: stores ascending by name, the keys of each ascending. */
  parts(rows: number): Iterable<readonly StoreChanges[]>;
  /** To be called once nobody reads them any more. */
  release(): void;
}

/** History by point reads: the newest value at or below `version`. The EVM store offers no more than this. */
export interface VersionedPointReads {
  get(store: string, key: Uint8Array, version: number): Uint8Array | undefined;
}

/** Ordered history reads, offered by the base store only; asynchronous, for the native iterator is. */
export interface VersionedRangeReads {
  iterate(store: string, version: number, range?: KeyRange): AsyncIterable<KeyValue>;
}
