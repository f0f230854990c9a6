import type { SharedReads } from '../../db/index.ts';
import { equalBytes, mapKeyOf } from '../../primitives/index.ts';
import type { VersionedPointReads } from '../view/index.ts';
import { valueAt } from './keyHistory.ts';
import { headPrefixes, headRow } from './rowKey.ts';
import { readEarliest, versionPruned } from './versionMarkers.ts';

interface Seen {
  /** `undefined`: the key has never been written. */
  readonly head: Uint8Array | undefined;
  /** The head holds all that happened to the key up to this version. */
  readonly asOf: number;
}

const ENTRY_BYTES = 120;

/** Reads one database that another thread writes: a head that was read serves versions up to when it was read. */
export class HeadReader implements VersionedPointReads {
  readonly #db: SharedReads;
  /** Bytes of one of the two generations. */
  readonly #capacity: number;
  readonly #prefixOf = headPrefixes();
  readonly #read = (row: Uint8Array): Uint8Array | undefined => {
    this.#hasRead = true;
    return this.#db.get(row);
  };
  #young = new Map<string, Seen>();
  #old = new Map<string, Seen>();
  #bytes = 0;
  #synced = 0;
  #rewinds = 0;
  /** The present `get` has been to the database: what it found may have been pruned just before. */
  #hasRead = false;

  constructor(options: { readonly cacheBytes: number }, deps: { readonly db: SharedReads }) {
    this.#db = deps.db;
    this.#capacity = options.cacheBytes / 2;
  }

  advance(version: number, rewinds: number): void {
    if (rewinds !== this.#rewinds) {
      this.#rewinds = rewinds;
      this.#synced = 0;
      this.#young = new Map();
      this.#old = new Map();
      this.#bytes = 0;
    }
    if (version > this.#synced) this.#synced = version;
  }

  /** Throws STORE_VERSION_PRUNED when the version was pruned away meanwhile. */
  get(store: string, key: Uint8Array, version: number): Uint8Array | undefined {
    if (key.length === 0) return undefined;
    const row = headRow(this.#prefixOf(store), key);
    this.#hasRead = false;
    const { head } = this.#headOf(row, version);
    const value = head && this.#valueIn(head, row, version);
    if (this.#hasRead) this.#requireUnpruned(version);
    return value;
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #valueIn(head: Uint8Array, row: Uint8Array, version: number): Uint8Array | undefined {
    try {
      return valueAt(head, row, version, this.#read);
    } catch (error) {
      // A prune since the head was read takes pages away that it still names.
      const written = this.#read(row);
      if (written !== undefined && equalBytes(written, head)) throw error;
      return written && valueAt(written, row, version, this.#read);
    }
  }

  /** The floor is on disk before anything below it goes. */
  #requireUnpruned(version: number): void {
    const earliest = readEarliest(this.#db);
    if (version < earliest) throw versionPruned(version, earliest);
  }

  #headOf(row: Uint8Array, version: number): Seen {
    const id = mapKeyOf(row);
    const young = this.#young.get(id);
    const known = young ?? this.#old.get(id);
    if (known !== undefined && known.asOf >= version) {
      if (young === undefined) this.#keep(id, known);
      return known;
    }
    // Taken before the read: what is synced meanwhile may or may not be in it.
    const asOf = this.#synced;
    const seen = { head: this.#read(row), asOf };
    this.#keep(id, seen);
    return seen;
  }

  #keep(id: string, seen: Seen): void {
    this.#young.set(id, seen);
    this.#bytes += ENTRY_BYTES + id.length + (seen.head?.length ?? 0);
    if (this.#bytes <= this.#capacity) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }
}
