/** One write. `null` deletes the key; an empty value is a live value, distinct from a delete. */
export interface KeyChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** The writes of one block to one store: one entry a key, keys ascending (byte order). */
export interface StoreChanges {
  readonly store: string;
  readonly changes: readonly KeyChange[];
}

/** The complete change set of a block: stores ascending by name; `version` is the block's height. */
export interface BlockChanges {
  readonly version: number;
  readonly stores: readonly StoreChanges[];
}
