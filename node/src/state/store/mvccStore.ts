import type { BatchOperation, DbHandle, KeyValueDb } from '../../db/index.ts';
import { appendAll, equalBytes, mapKeyOf } from '../../primitives/index.ts';
import type { StoreChanges } from '../../types/index.ts';
import type { KeyRange, KeyValue } from '../view/index.ts';
import { growHeads } from './headBatch.ts';
import { valueAt } from './keyHistory.ts';
import { KeyTable, type StagedWrite } from './keyTable.ts';
import { iterateHeads } from './mvccIteration.ts';
import { type EditHead, type PruneOptions, prunePass } from './retention/prunePass.ts';
import { rewindStore } from './retention/rewindStore.ts';
import { rewriteHeads } from './retention/rewriteHeads.ts';
import { WriteGate } from './retention/writeGate.ts';
import { headPrefixes, headRow } from './rowKey.ts';
import { StagedBlocks, stageWrite, waitingWrite } from './stagedBlocks.ts';
import type { BaseStore, PreparedBatch } from './stateMember.ts';
import {
  earliestMarker,
  type FloorIntent,
  initialMarkers,
  intentMarker,
  latestMarker,
  listedFromMarker,
  readIntent,
  readListedFrom,
  readMarkers,
  readWaste,
  type VersionMarkers,
  wasteMarker,
} from './versionMarkers.ts';

export interface MvccOptions {
  readonly headCacheBytes: number;
  /** Lists what versions supersede, so that a prune need not visit every key. */
  readonly listSuperseded: boolean;
}

/**
 * Every version of every key of one database. A staged block is readable at once; a batch moves it, with the
 * latest marker, into the database. Blocks are staged, prepared and written by one caller, in order; one batch
 * may be prepared while the one before is written. Prunes and rewinds go between batches.
 */
export class MvccStore implements BaseStore {
  readonly db: KeyValueDb;
  readonly #listSuperseded: boolean;
  readonly #table: KeyTable;
  readonly #gate = new WriteGate();
  readonly #staged = new StagedBlocks();
  readonly #prefixOf = headPrefixes();
  readonly #read = (row: Uint8Array): Uint8Array | undefined => this.db.get(row);
  #markers: VersionMarkers | undefined;
  #listedFrom: number | undefined;

  constructor({ headCacheBytes, listSuperseded }: MvccOptions, deps: { readonly db: KeyValueDb }) {
    this.db = deps.db;
    this.#listSuperseded = listSuperseded;
    this.#table = new KeyTable(headCacheBytes);
    this.#markers = readMarkers(deps.db);
    this.#listedFrom = readListedFrom(deps.db);
  }

  /** `undefined` until the database has markers. What is staged is not counted. */
  get markers(): VersionMarkers | undefined {
    return this.#markers;
  }

  get floors(): readonly (number | undefined)[] {
    return [this.#markers?.earliest];
  }

  get listedFrom(): number | undefined {
    return this.#listedFrom;
  }

  get intent(): FloorIntent | undefined {
    return readIntent(this.db);
  }

  get handles(): DbHandle | undefined {
    return this.db.handle;
  }

  /** Gives a database that has none its markers, on disk; begins or ends its list of what versions supersede. */
  async initialise(): Promise<void> {
    const operations: BatchOperation[] = [];
    const { latest } = this.#markers ?? { latest: 0 };
    if (this.#markers === undefined) appendAll(operations, initialMarkers());
    // A list with a gap would hide keys from every later prune: one that was interrupted begins anew.
    const listedFrom = !this.#listSuperseded
      ? undefined
      : (this.#listedFrom ?? (latest === 0 ? 0 : latest + 1));
    if (listedFrom !== this.#listedFrom) operations.push(listedFromMarker(listedFrom));
    if (operations.length > 0) await this.db.batch(operations, { sync: true });
    this.#markers ??= { latest: 0, earliest: 0 };
    this.#listedFrom = listedFrom;
  }

  get(store: string, key: Uint8Array, version: number): Uint8Array | undefined {
    if (key.length === 0 || version < this.#earliest()) return undefined;
    const row = headRow(this.#prefixOf(store), key);
    const id = mapKeyOf(row);
    let known = this.#table.get(id);
    if (known !== undefined) {
      const waiting = waitingWrite(known, version);
      if (waiting !== undefined) return waiting.value ?? undefined;
    }
    let head = known?.head;
    if (head === undefined) {
      if (known?.isAbsent) return undefined;
      head = this.db.get(row);
      known ??= this.#table.open(id);
      if (head === undefined) {
        known.isAbsent = true;
        return undefined;
      }
      this.#table.learn(known, head);
    }
    try {
      return valueAt(head, row, version, this.#read);
    } catch (error) {
      // A prune that is just being written takes pages away that an older head still names.
      const written = this.db.get(row);
      if (written === undefined || equalBytes(written, head)) throw error;
      return valueAt(written, row, version, this.#read);
    }
  }

  /** Keys and values of a store at `version`, in byte order; deleted keys are not among them. */
  iterate(store: string, version: number, range: KeyRange = {}): AsyncIterable<KeyValue> {
    return iterateHeads(
      { prefix: this.#prefixOf(store), version, range },
      { db: this.db, staged: this.#staged, earliest: () => this.#earliest() },
    );
  }

  stage(version: number, stores: readonly StoreChanges[]): void {
    const writes: StagedWrite[] = [];
    for (const { store, changes } of stores) {
      const prefix = this.#prefixOf(store);
      for (const { key, value } of changes) {
        if (key.length === 0) continue;
        const row = headRow(prefix, key);
        writes.push(stageWrite(this.#table.open(mapKeyOf(row)), { row, version, value }));
      }
    }
    this.#staged.add({ version, writes });
  }

  async prepare(version: number): Promise<PreparedBatch> {
    await this.#gate.enter();
    try {
      return await this.#prepare(version);
    } catch (error) {
      this.#gate.leave();
      throw error;
    }
  }

  async raiseFloor(floor: number): Promise<void> {
    await this.db.batch([earliestMarker(floor), intentMarker(undefined)], { sync: true });
    this.#markers = { latest: this.#markers?.latest ?? 0, earliest: floor };
  }

  async intend(intent: FloorIntent): Promise<void> {
    await this.db.batch([intentMarker(intent)], { sync: true });
  }

  prune(options: Omit<PruneOptions, 'floor'>): Promise<number> {
    return prunePass(this, { ...options, floor: this.#earliest() });
  }

  async rewind(version: number, above: Iterable<readonly StoreChanges[]>): Promise<void> {
    await rewindStore(this, { version, above, rowOf: (store, key) => headRow(this.#prefixOf(store), key) });
    await this.db.batch([latestMarker(version)], { sync: true });
    this.#markers = { earliest: this.#earliest(), latest: version };
  }

  rewriteHeads(
    rows: readonly Uint8Array[],
    edit: EditHead,
    more: () => BatchOperation[] = () => [],
  ): Promise<number> {
    return this.#gate.alone(() => rewriteHeads(rows, { edit, more }, { db: this.db, table: this.#table }));
  }

  async markListed(): Promise<void> {
    await this.db.batch([listedFromMarker(0)], { sync: true });
    this.#listedFrom = 0;
  }

  async addWaste(bytes: number): Promise<number> {
    const sum = readWaste(this.db) + bytes;
    await this.db.batch([wasteMarker(sum)]);
    return sum;
  }

  async close(): Promise<void> {
    await this.#gate.close();
    await this.db.close();
  }

  async #prepare(version: number): Promise<PreparedBatch> {
    const blocks = this.#staged.take(version);
    const { operations, grown, heads, superseded } = await growHeads(blocks, {
      db: this.db,
      table: this.#table,
    });
    operations.push(latestMarker(version));
    if (this.#listSuperseded) appendAll(operations, superseded.operations());
    const write = async (): Promise<void> => {
      try {
        await this.db.batch(operations, { sync: true });
        for (let i = 0; i < grown.length; i++) {
          const key = grown[i]!;
          this.#table.learn(key, heads[i]!);
          // A batch behind this one may have grown it further.
          if (key.next === heads[i]) key.next = undefined;
        }
        this.#markers = { earliest: this.#earliest(), latest: version };
        this.#staged.drop(version);
      } finally {
        // Not before the table knows the heads: what rewrites heads next takes them from there.
        this.#gate.leave();
      }
    };
    return { write };
  }

  #earliest(): number {
    return this.#markers?.earliest ?? 0;
  }
}
