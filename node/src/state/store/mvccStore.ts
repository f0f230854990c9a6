import type { KeyValueDb } from '../../db/index.ts';
import type { StoreChanges } from '../../types/index.ts';
import type { KeyRange, KeyValue } from '../view/index.ts';
import { growHeads } from './headBatch.ts';
import { valueAt } from './keyHistory.ts';
import { KeyTable, type StagedWrite } from './keyTable.ts';
import { iterateHeads } from './mvccIteration.ts';
import { headPrefix, headRow } from './rowKey.ts';
import { StagedBlocks, stageWrite, waitingWrite } from './stagedBlocks.ts';
import type { PreparedBatch } from './stateMember.ts';
import { initialMarkers, latestMarker, readMarkers, type VersionMarkers } from './versionMarkers.ts';

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/**
 * Every version of every key of one database. A staged block is readable at once; a batch moves it, with the
 * latest marker, into the database. Blocks are staged, prepared and written by one caller, in order; one batch
 * may be prepared while the one before is written.
 */
export class MvccStore {
  readonly #db: KeyValueDb;
  readonly #table: KeyTable;
  readonly #staged = new StagedBlocks();
  readonly #prefixes = new Map<string, Uint8Array>();
  readonly #read = (row: Uint8Array): Uint8Array | undefined => this.#db.get(row);
  #markers: VersionMarkers | undefined;

  constructor(options: { readonly headCacheBytes: number }, deps: { readonly db: KeyValueDb }) {
    this.#db = deps.db;
    this.#table = new KeyTable(options.headCacheBytes);
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
    let known = this.#table.get(id);
    if (known !== undefined) {
      const waiting = waitingWrite(known, version);
      if (waiting !== undefined) return waiting.value ?? undefined;
    }
    let head = known?.head;
    if (head === undefined) {
      head = this.#db.get(row);
      if (head === undefined) return undefined;
      known ??= this.#table.open(id);
      this.#table.learn(known, head);
    }
    return valueAt(head, row, version, this.#read);
  }

  /** Keys and values of a store at `version`, in byte order; deleted keys are not among them. */
  iterate(store: string, version: number, range: KeyRange = {}): AsyncIterable<KeyValue> {
    return iterateHeads(
      { prefix: this.#prefixOf(store), version, range },
      { db: this.#db, staged: this.#staged, earliest: () => this.#earliest() },
    );
  }

  stage(version: number, stores: readonly StoreChanges[]): void {
    const writes: StagedWrite[] = [];
    for (const { store, changes } of stores) {
      const prefix = this.#prefixOf(store);
      for (const { key, value } of changes) {
        if (key.length === 0) continue;
        const row = headRow(prefix, key);
        writes.push(stageWrite(this.#table.open(latin1(row)), { row, version, value }));
      }
    }
    this.#staged.add({ version, writes });
  }

  async prepare(version: number): Promise<PreparedBatch> {
    const blocks = this.#staged.take(version);
    const { operations, grown, heads } = await growHeads(blocks, { db: this.#db, table: this.#table });
    operations.push(latestMarker(version));
    const write = async (): Promise<void> => {
      await this.#db.batch(operations, { sync: true });
      for (let i = 0; i < grown.length; i++) {
        const key = grown[i]!;
        this.#table.learn(key, heads[i]!);
        // A batch behind this one may have grown it further.
        if (key.next === heads[i]) key.next = undefined;
      }
      this.#markers = { earliest: this.#earliest(), latest: version };
      this.#staged.drop(version);
    };
    return { write };
  }

  async close(): Promise<void> {
    await this.#db.close();
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
