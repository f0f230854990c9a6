import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import type { StoreChanges } from '../../types/index.ts';
import type { KeyRange, KeyValue } from '../view/index.ts';
import { HeadCache } from './headCache.ts';
import { extendHistory, valueAt } from './keyHistory.ts';
import { iterateHeads } from './mvccIteration.ts';
import { PendingLayer, type StagedWrite } from './pendingLayer.ts';
import { headPrefix, headRow } from './rowKey.ts';
import { initialMarkers, latestMarker, readMarkers, type VersionMarkers } from './versionMarkers.ts';

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/**
 * Every version of every key of one database. A staged block is readable at once; `writeStaged` moves it, with
 * the latest marker, into the database in one batch. Blocks are staged and written by one caller, in order.
 */
export class MvccStore {
  readonly #db: KeyValueDb;
  readonly #heads: HeadCache;
  readonly #pending = new PendingLayer();
  readonly #prefixes = new Map<string, Uint8Array>();
  readonly #read = (row: Uint8Array): Uint8Array | undefined => this.#db.get(row);
  #markers: VersionMarkers | undefined;

  constructor(options: { readonly headCacheBytes: number }, deps: { readonly db: KeyValueDb }) {
    this.#db = deps.db;
    this.#heads = new HeadCache(options.headCacheBytes);
    this.#markers = readMarkers(deps.db);
  }

  /** `undefined` until the database has markers. What is staged is not counted. */
  get markers(): VersionMarkers | undefined {
    return this.#markers;
  }

  /** Gives a database that has none its markers, on disk. */
  async initialise(): Promise<void> {
    if (this.#markers !== undefined) return;
    await this.#db.batch(initialMarkers(), { sync: true });
    this.#markers = { latest: 0, earliest: 0 };
  }

  get(store: string, key: Uint8Array, version: number): Uint8Array | undefined {
    if (key.length === 0 || version < this.#earliest()) return undefined;
    const row = headRow(this.#prefixOf(store), key);
    const id = latin1(row);
    const pending = this.#pending.get(id, version);
    if (pending !== undefined) return pending ?? undefined;
    let head = this.#heads.get(id);
    if (head === undefined) {
      head = this.#db.get(row);
      if (head === undefined) return undefined;
      this.#heads.set(id, head);
    }
    return valueAt(head, row, version, this.#read);
  }

  /** Keys and values of a store at `version`, in byte order; deleted keys are not among them. */
  iterate(store: string, version: number, range: KeyRange = {}): AsyncIterable<KeyValue> {
    return iterateHeads(
      { prefix: this.#prefixOf(store), version, range },
      { db: this.#db, pending: this.#pending, earliest: () => this.#earliest() },
    );
  }

  stage(version: number, stores: readonly StoreChanges[]): void {
    const writes: StagedWrite[] = [];
    for (const { store, changes } of stores) {
      const prefix = this.#prefixOf(store);
      for (const { key, value } of changes) {
        if (key.length === 0) continue;
        const row = headRow(prefix, key);
        writes.push({ id: latin1(row), row, value });
      }
    }
    this.#pending.add({ version, writes });
  }

  /** Writes what is staged up to `version`; on disk for good when it resolves. */
  async writeStaged(version: number): Promise<void> {
    if (version <= (this.#markers?.latest ?? 0)) return;
    const blocks = this.#pending.upTo(version);
    const heads = await this.#headsOf(blocks.flatMap((block) => block.writes));
    const operations: BatchOperation[] = [];
    const grown = new Map<string, StagedWrite & { head: Uint8Array }>();
    for (const block of blocks) {
      for (const write of block.writes) {
        const { id, row, value } = write;
        const head = extendHistory(heads.get(id), { row, version: block.version, value }, operations);
        if (head === undefined) continue;
        heads.set(id, head);
        grown.set(id, { id, row, value, head });
      }
    }
    for (const { row, head } of grown.values()) operations.push({ type: 'put', key: row, value: head });
    operations.push(latestMarker(version));
    await this.#db.batch(operations, { sync: true });
    for (const { id, head } of grown.values()) this.#heads.set(id, head);
    this.#markers = { earliest: this.#earliest(), latest: version };
    this.#pending.drop(version);
  }

  async close(): Promise<void> {
    await this.#db.close();
  }

  /** Heads that the writes start from. */
  async #headsOf(writes: readonly StagedWrite[]): Promise<Map<string, Uint8Array>> {
    const heads = new Map<string, Uint8Array>();
    const missing = new Map<string, Uint8Array>();
    for (const { id, row } of writes) {
      const cached = this.#heads.get(id);
      if (cached === undefined) missing.set(id, row);
      else heads.set(id, cached);
    }
    if (missing.size === 0) return heads;
    const found = await this.#db.getMany([...missing.values()]);
    let i = 0;
    for (const id of missing.keys()) {
      const head = found[i++];
      if (head !== undefined) heads.set(id, head);
    }
    return heads;
  }

  #earliest(): number {
    return this.#markers?.earliest ?? 0;
  }

  #prefixOf(store: string): Uint8Array {
    let prefix = this.#prefixes.get(store);
    if (prefix === undefined) {
      prefix = headPrefix(store);
      this.#prefixes.set(store, prefix);
    }
    return prefix;
  }
}
