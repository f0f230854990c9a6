import type { KeyValue, PointReads, RangeReads } from '../state/view/index.ts';

/**
 * Tells a broken disk from a broken execution: what a transaction reads from goes through here, and a read that
 * throws is remembered. Such a block must stop, for on another machine it would have had another outcome. The
 * same goes for a run that is interrupted.
 */
export class Sources {
  /** Iterates where the parent does: SC, and overlays over it. */
  readonly state: PointReads & Partial<RangeReads>;
  readonly interrupt: (() => void) | undefined;
  #failed = false;

  constructor(state: PointReads & Partial<RangeReads>, interrupt?: (() => void) | undefined) {
    this.interrupt = interrupt && (() => this.#watch(interrupt));
    const { iterate } = state;
    this.state = {
      get: (store, key) => this.#watch(() => state.get(store, key)),
      ...(iterate && { iterate: (store, range) => this.#watchRows(() => iterate.call(state, store, range)) }),
    };
  }

  get failed(): boolean {
    return this.#failed;
  }

  *#watchRows(open: () => Iterable<KeyValue>): Iterable<KeyValue> {
    try {
      yield* open();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  #watch<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
