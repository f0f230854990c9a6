import type { Interrupt } from '../evm/index.ts';
import type { KeyValue, StateReads } from '../state/view/index.ts';

/**
 * Tells a broken disk from a broken execution: what a transaction reads from goes through here, and a read that
 * throws is remembered. Such a block must stop, for on another machine it would have had another outcome. The
 * same goes for a run that is interrupted.
 */
export class Sources {
  readonly state: StateReads;
  readonly interrupt: Interrupt | undefined;
  #failed = false;

  constructor(state: StateReads, interrupt?: Interrupt | undefined) {
    this.interrupt = interrupt && ((gas) => this.#watch(() => interrupt(gas)));
    this.state = {
      get: (store, key) => this.#watch(() => state.get(store, key)),
      iterate: (store, range) => this.#watchRows(() => state.iterate(store, range)),
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
