/** A write that is readable but not yet in the database. */
export interface StagedWrite {
  readonly key: KnownKey;
  readonly row: Uint8Array;
  readonly version: number;
  readonly value: Uint8Array | null;
  /** The waiting write to the same key before this one. */
  older: StagedWrite | undefined;
}

/** What memory holds of one key. */
export interface KnownKey {
  /** Row of its head as latin1: sorts as the row does. */
  readonly id: string;
  /** The head in the database, `undefined` when it is not known here. */
  head: Uint8Array | undefined;
  /** The database is known to hold nothing of the key: most accounts lack most rows, and are read again. */
  isAbsent: boolean;
  /** The head that a batch on its way to the database writes. */
  next: Uint8Array | undefined;
  /** The newest waiting write. */
  newest: StagedWrite | undefined;
  /** Bytes charged to the generation that the key is in. */
  weight: number;
}

/** Of a key's objects in the table, without its row and head. */
const ENTRY_BYTES = 120;

/**
 * Keys used of late, by id, and all keys with waiting writes. Two generations instead of a list of uses: when
 * the young one is full it becomes the old one, and what is used meanwhile moves back.
 */
export class KeyTable {
  readonly #capacity: number;
  #young = new Map<string, KnownKey>();
  #old = new Map<string, KnownKey>();
  #bytes = 0;
  /** Bytes that fill the young generation. */
  #limit: number;

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes / 2;
    this.#limit = this.#capacity;
  }

  get(id: string): KnownKey | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.#insert(old);
    return old;
  }

  /** The same without counting as a use. */
  peek(id: string): KnownKey | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** The entry of a key, made when there is none. */
  open(id: string): KnownKey {
    const known = this.get(id);
    if (known !== undefined) return known;
    const key: KnownKey = {
      id,
      head: undefined,
      isAbsent: false,
      next: undefined,
      newest: undefined,
      weight: ENTRY_BYTES + id.length,
    };
    this.#insert(key);
    return key;
  }

  /** Keeps what the database holds of a key. */
  learn(key: KnownKey, head: Uint8Array): void {
    const growth = head.length - (key.head?.length ?? 0);
    key.head = head;
    key.isAbsent = false;
    key.weight += growth;
    this.#bytes += growth;
  }

  /** The database holds nothing of a key any more. */
  forget(key: KnownKey): void {
    const length = key.head?.length ?? 0;
    key.head = undefined;
    key.weight -= length;
    this.#bytes -= length;
  }

  #insert(key: KnownKey): void {
    this.#young.set(key.id, key);
    this.#bytes += key.weight;
    if (this.#bytes > this.#limit) this.#turn();
  }

  #turn(): void {
    const evicted = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
    for (const key of evicted.values()) {
      if (key.newest === undefined || this.#old.has(key.id)) continue;
      this.#young.set(key.id, key);
      this.#bytes += key.weight;
    }
    // What must be kept does not count: else a long queue would turn the generations at every key.
    this.#limit = this.#bytes + this.#capacity;
  }
}
