import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { sumOf } from './latticeSum.ts';
import type { LtHasher } from './ltHasher.ts';
import { type DatabaseState, EMPTY_MODULE, type ModuleState, metaRows, readState } from './metaRows.ts';
import type { RowWrite } from './rows/blockRows.ts';

/** Every version is written with its rows and sums in one batch, so a version that is there is there whole. */
export class FlatDatabase {
  readonly #db: KeyValueDb;
  readonly #hasher: LtHasher;
  #state: DatabaseState;

  private constructor(db: KeyValueDb, hasher: LtHasher, state: DatabaseState) {
    this.#db = db;
    this.#hasher = hasher;
    this.#state = state;
  }

  static async open(db: KeyValueDb, hasher: LtHasher): Promise<FlatDatabase> {
    return new FlatDatabase(db, hasher, await readState(db));
  }

  get state(): DatabaseState {
    return this.#state;
  }

  /**
   * Moves to `version`. A version at or below the present one is passed over: its rows are in the sums already.
   * `again` takes rows of the present version that came in another part of it (a rebuild); `goBack` goes to an older
   * one.
   */
  async apply(
    version: number,
    modules: ReadonlyMap<string, readonly RowWrite[]>,
    { sync = false, again = false, goBack = false } = {},
  ): Promise<void> {
    const isThere = this.#state.version > version || (this.#state.version === version && !again);
    if (isThere && !goBack) {
      // What is passed over may be in no more than the page cache: the caller counts on `sync` for it too.
      if (sync) await this.#db.batch(metaRows(this.#state.version, this.#state.sum, new Map()), { sync });
      return;
    }
    const operations: BatchOperation[] = [];
    const changed = new Map<string, ModuleState>();
    for (const [module, rows] of modules) {
      const before = this.#state.modules.get(module) ?? EMPTY_MODULE;
      changed.set(module, this.#applyModule(before, rows, operations));
    }
    const states = new Map([...this.#state.modules, ...changed]);
    const sum = changed.size === 0 ? this.#state.sum : sumOf([...states.values()].map((state) => state.sum));
    operations.push(...metaRows(version, sum, changed));
    await this.#db.batch(operations, { sync });
    this.#state = { version, sum, modules: states };
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #applyModule(before: ModuleState, rows: readonly RowWrite[], operations: BatchOperation[]): ModuleState {
    let { rows: count, bytes } = before;
    this.#hasher.load(before.sum);
    for (const { key, next } of rows) {
      const old = this.#db.get(key);
      const value = next(old);
      if (old) {
        this.#hasher.subtract(key, old);
        count--;
        bytes -= BigInt(key.length + old.length);
      }
      if (value) {
        this.#hasher.add(key, value);
        count++;
        bytes += BigInt(key.length + value.length);
        operations.push({ type: 'put', key, value });
      } else if (old) {
        operations.push({ type: 'del', key });
      }
    }
    return { sum: this.#hasher.save(), rows: count, bytes };
  }
}
