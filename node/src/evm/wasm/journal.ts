import { mapKeyOf } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';
import type { EvmState } from '../evmState.ts';
import type { Mark } from './frame.ts';
import {
  JOURNAL_LENGTH,
  JOURNAL_MARK,
  REFUND,
  SLOT_COUNT,
  SLOT_FLAGS,
  SLOT_KEY,
  SLOT_LIST,
  SLOT_ORIGINAL,
  SLOT_OWNER,
  SLOT_VALUE,
  SLOT_WARM,
  TRANSIENT,
} from './layout.ts';
import type { Runtime } from './runtime.ts';

/**
 * All that an execution changes, and the way back: accounts in the EvmState, slots in linear memory (until `flush`
 * hands them to the EvmState), logs, refunds.
 */
export class Journal {
  readonly logs: EvmLog[] = [];
  readonly #runtime: Runtime;
  readonly #state: EvmState;
  readonly #owners: Uint8Array[] = [];
  readonly #ownerNumbers = new Map<string, number>();

  constructor(runtime: Runtime, state: EvmState) {
    this.#runtime = runtime;
    this.#state = state;
    runtime.exports.clearSlots();
    runtime.memory.setI64(REFUND, 0);
  }

  get refund(): number {
    return this.#runtime.memory.i64(REFUND);
  }

  /** The number that stands for an account in the table of slots. */
  ownerOf(address: Uint8Array): number {
    const key = mapKeyOf(address);
    let number = this.#ownerNumbers.get(key);
    if (number === undefined) {
      number = this.#owners.push(address) - 1;
      this.#ownerNumbers.set(key, number);
    }
    return number;
  }

  mark(): Mark {
    const { memory } = this.#runtime;
    return {
      state: this.#state.mark(),
      journal: memory.u32(JOURNAL_LENGTH),
      logs: this.logs.length,
      refund: this.refund,
    };
  }

  /** The frame that began at `mark` runs from here on. */
  enter(mark: Mark): void {
    this.#runtime.memory.setU32(JOURNAL_MARK, mark.journal);
  }

  revertTo(mark: Mark): void {
    this.#state.revertTo(mark.state);
    this.#runtime.exports.revertSlots(mark.journal);
    this.#runtime.memory.setI64(REFUND, mark.refund);
    this.logs.length = mark.logs;
  }

  /** Fills a new record of the table. */
  loadSlot(slot: number): void {
    const { memory } = this.#runtime;
    const owner = memory.u32(slot + SLOT_OWNER);
    const address = this.#owners[owner & ~TRANSIENT]!;
    const key = memory.wordBytes(slot + SLOT_KEY, 32);
    const state = this.#state;
    if ((owner & TRANSIENT) !== 0) {
      memory.setWordBytes(slot + SLOT_VALUE, state.transientStorage(address, key));
      memory.copyWord(slot + SLOT_ORIGINAL, slot + SLOT_VALUE);
      return;
    }
    memory.setWordBytes(slot + SLOT_VALUE, state.storage(address, key));
    memory.setWordBytes(slot + SLOT_ORIGINAL, state.originalStorage(address, key));
    if (state.isWarmSlot(address, key))
      memory.setU32(slot + SLOT_FLAGS, memory.u32(slot + SLOT_FLAGS) | SLOT_WARM);
  }

  /** Writes every slot to the state. */
  flush(): void {
    const { memory } = this.#runtime;
    const count = memory.u32(SLOT_COUNT);
    for (let i = 0; i < count; i++) this.#flushSlot(memory.u32(SLOT_LIST + 4 * i));
  }

  #flushSlot(slot: number): void {
    const { memory } = this.#runtime;
    const owner = memory.u32(slot + SLOT_OWNER);
    const address = this.#owners[owner & ~TRANSIENT]!;
    const key = memory.wordBytes(slot + SLOT_KEY, 32);
    const value = memory.wordBytes(slot + SLOT_VALUE, 32);
    if ((owner & TRANSIENT) !== 0) {
      this.#state.setTransientStorage(address, key, value);
      return;
    }
    if ((memory.u32(slot + SLOT_FLAGS) & SLOT_WARM) !== 0) this.#state.warmSlot(address, key);
    this.#state.setStorage(address, key, value);
  }
}
