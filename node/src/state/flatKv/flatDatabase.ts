import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { appendAll, mapKeyOf } from '../../primitives/index.ts';
import { sumOf } from './latticeSum.ts';
import type { LtHasher } from './ltHasher.ts';
import { type DatabaseState, EMPTY_MODULE, type ModuleState, metaRows, readState } from './metaRows.ts';
import type { DatabaseRows, RowWrite } from './rows/blockRows.ts';

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
   * Moves to the version of the last of these blocks. One at or below the present version is passed over: its rows are
   * in the sums already. `again` takes rows of the present version that came in another part of it (a rebuild);
   * `rewind` goes to an older one.
   */
  async apply(
    blocks: readonly DatabaseRows[],
    { sync = false, again = false, rewind = false } = {},
  ): Promise<void> {
    const present = this.#state.version;
    const fresh = rewind
      ? blocks
      : blocks.filter(({ version }) => version > present || (again && version === present));
    const version = fresh.at(-1)?.version;
    if (version === undefined) {
      // What is passed over may be in no more than the page cache: the caller counts on `sync` for it too.
      if (sync) await this.#db.batch(metaRows(present, this.#state.sum, new Map()), { sync });
      return;
    }
    const operations: BatchOperation[] = [];
    const changed = new Map<string, ModuleState>();
    for (const [module, rows] of joined(fresh)) {
      const before = this.#state.modules.get(module) ?? EMPTY_MODULE;
      changed.set(module, this.#applyModule(before, rows, operations));
    }
    const states = new Map([...this.#state.modules, ...changed]);
    const sum = changed.size === 0 ? this.#state.sum : sumOf([...states.values()].map((state) => state.sum));
    appendAll(operations, metaRows(version, sum, changed));
    await this.#db.batch(operations, { sync });
    this.#state = { version, sum, modules: states };
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #applyModule(before: ModuleState, rows: readonly RowWrite[], operations: BatchOperation[]): ModuleState {
    let { rows: count, bytes } = before;
    this.#hasher.load(before.sum);
    for (const { key, old, value } of this.#outcomes(rows)) {
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

  /** What becomes of each row: of several writes to one the last stays, and only it is hashed. */
  #outcomes(rows: readonly RowWrite[]): Iterable<Outcome> {
    const outcomes = new Map<string, Outcome>();
    for (const { key, next } of rows) {
      const id = mapKeyOf(key);
      const known = outcomes.get(id);
      if (known) {
        known.value = next(known.value);
        continue;
      }
      const old = this.#db.get(key);
      outcomes.set(id, { key, old, value: next(old) });
    }
    return outcomes.values();
  }
}

interface Outcome {
  readonly key: Uint8Array;
  readonly old: Uint8Array | undefined;
  value: Uint8Array | undefined;
}

/** Rows of all blocks by module, in order. */
function joined(blocks: readonly DatabaseRows[]): ReadonlyMap<string, readonly RowWrite[]> {
  const [first] = blocks;
  if (blocks.length === 1) return first!.modules;
  const all = new Map<string, RowWrite[]>();
  for (const { modules } of blocks) {
    for (const [module, rows] of modules) {
      const list = all.get(module);
      if (list) for (const row of rows) list.push(row);
      else all.set(module, [...rows]);
    }
  }
  return all;
}
