import type { KeyValue, VersionedRangeReads } from '../../state/view/index.ts';
import { serverError } from '../rpcError.ts';
import { BEFORE_FIRST_BLOCK, type JobBase } from './jobKind.ts';
import { type LoadedRange, type MissingRange, missingRangeOf, nameOf } from './loadedRange.ts';

/** Rows that the first load of a range gives; each further one gives eight times as many. */
const FIRST_ROWS = 128;
const GROWTH = 8;
/** Of one job: each costs a new run. */
const MAX_LOADS = 64;

/** Runs a job again and again, each time with one more of the ranges of state that it asks for. */
export class RangesAhead {
  readonly #source: VersionedRangeReads;
  readonly #version: number;
  readonly #loaded = new Map<string, LoadedRange>();
  #loads = 0;

  constructor(source: VersionedRangeReads, { version }: Pick<JobBase, 'version'>) {
    this.#source = source;
    this.#version = version;
  }

  /** Throws what `attempt` throws, and −32000 when there is no end to what it asks for. */
  async run<T>(attempt: (ranges: readonly LoadedRange[]) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt([...this.#loaded.values()]);
      } catch (error) {
        const missing = missingRangeOf(error);
        if (!missing) throw error;
        await this.#load(missing);
      }
    }
  }

  async #load({ store, range, held }: MissingRange): Promise<void> {
    if (++this.#loads > MAX_LOADS) {
      throw serverError(
        `the call reads more than ${MAX_LOADS} lists of the ledger; ask for fewer of them in one call`,
      );
    }
    const name = nameOf(store, range);
    const limit = held === 0 ? FIRST_ROWS : held * GROWTH;
    const rows: KeyValue[] = [];
    if (this.#version !== BEFORE_FIRST_BLOCK) {
      for await (const row of this.#source.iterate(store, this.#version, range)) {
        if (rows.length === limit) break;
        rows.push(row);
      }
    }
    this.#loaded.set(name, { name, rows, isWhole: rows.length < limit });
  }
}
