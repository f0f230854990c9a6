import type { EvmLog } from '../../../types/index.ts';
import type { EvmState } from '../../evmState.ts';
import { NoRoom } from '../memory/index.ts';
import {
  ACCOUNTS,
  JOURNAL_LENGTH,
  JOURNAL_MARK,
  REFUND,
  SLOT_COUNT,
  SLOT_FLAGS,
  SLOT_FRESH,
  SLOT_JOURNALED,
  SLOT_KEY,
  SLOT_LIST,
  SLOT_ORIGINAL,
  SLOT_OWNER,
  SLOT_VALUE,
  SLOT_WARM,
  TRANSIENT,
} from '../memory/layout.ts';
import type { Runtime } from '../runtime/index.ts';
import type { Accounts } from './accounts.ts';
import type { Mark } from './mark.ts';

/** Who hears of slots that the message has not met before. */
export interface SlotWatch {
  loadedSlot(address: Uint8Array, slot: Uint8Array): void;
}

/**
 * All that an execution changes, and the way back: accounts in the EvmState, slots in linear memory (until `flush`
 * hands them to the EvmState), logs, refunds.
 */
export class Journal {
  readonly logs: EvmLog[] = [];
  readonly #runtime: Runtime;
  readonly #state: EvmState;
  readonly #accounts: Accounts;
  readonly #watch: SlotWatch | undefined;

  constructor(
    runtime: Runtime,
    { state, accounts, watch }: { state: EvmState; accounts: Accounts; watch: SlotWatch | undefined },
  ) {
    this.#runtime = runtime;
    this.#watch = watch;
    this.#state = state;
    this.#accounts = accounts;
    runtime.exports.clearSlots();
    runtime.memory.setI64(REFUND, 0);
    runtime.memory.setU32(JOURNAL_MARK, 0);
  }

  get refund(): number {
    return this.#runtime.memory.i64(REFUND);
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
    this.#accounts.noteRevert();
  }

  /** Fills a new record of the table. */
  loadSlot(slot: number): void {
    const { memory } = this.#runtime;
    const owner = memory.u32(slot + SLOT_OWNER);
    if (owner === ACCOUNTS) {
      this.#accounts.load(slot);
      return;
    }
    const { address } = this.#accounts.numbered(owner & ~TRANSIENT);
    const key = memory.wordBytes(slot + SLOT_KEY, 32);
    const state = this.#state;
    if ((owner & TRANSIENT) !== 0) {
      memory.setWordBytes(slot + SLOT_VALUE, state.transientStorage(address, key));
      memory.copyWord(slot + SLOT_ORIGINAL, slot + SLOT_VALUE);
      return;
    }
    this.#watch?.loadedSlot(address, key);
    const value = state.storage(address, key);
    const original = state.writtenOriginal(address, key);
    memory.setWordBytes(slot + SLOT_VALUE, value);
    memory.setWordBytes(slot + SLOT_ORIGINAL, original ?? value);
    const warmth = state.isWarmSlot(address, key) ? SLOT_WARM : 0;
    const freshness = original ? 0 : SLOT_FRESH;
    memory.setU32(slot + SLOT_FLAGS, memory.u32(slot + SLOT_FLAGS) | warmth | freshness);
  }

  /** The record of a slot whose key lies at `word`. Throws NoRoom. */
  slotAt(owner: number, word: number): number {
    const slot = this.#runtime.exports.findSlot(owner, word);
    if (slot === 0) throw new NoRoom('storage slots');
    return slot;
  }

  /** Tells the state what a slot holds now, in place of `flush`: somebody looks at the state meanwhile. */
  writeThrough(slot: number): void {
    const { memory } = this.#runtime;
    const { address } = this.#accounts.numbered(memory.u32(slot + SLOT_OWNER));
    const [key, value] = [memory.wordBytes(slot + SLOT_KEY, 32), memory.wordBytes(slot + SLOT_VALUE, 32)];
    this.#state.setStorage(address, key, value);
    memory.setU32(slot + SLOT_FLAGS, memory.u32(slot + SLOT_FLAGS) & ~SLOT_FRESH);
  }

  /** Tells the state what became of every account and slot; of a message that failed only what it had warmed before. */
  flush(): void {
    const { memory } = this.#runtime;
    const count = memory.u32(SLOT_COUNT);
    for (let i = 0; i < count; i++) {
      const slot = memory.u32(SLOT_LIST + 4 * i);
      // What is not in the journal is as it was.
      if (memory.u32(slot + SLOT_JOURNALED) !== 0) this.#flushSlot(slot);
    }
  }

  #flushSlot(slot: number): void {
    const { memory } = this.#runtime;
    const state = this.#state;
    const owner = memory.u32(slot + SLOT_OWNER);
    const flags = memory.u32(slot + SLOT_FLAGS);
    if (owner === ACCOUNTS) {
      if ((flags & SLOT_WARM) !== 0)
        state.warmAddressLater(this.#accounts.numbered(memory.u32(slot + SLOT_VALUE)).address);
      return;
    }
    const { address } = this.#accounts.numbered(owner & ~TRANSIENT);
    const key = memory.wordBytes(slot + SLOT_KEY, 32);
    if ((owner & TRANSIENT) !== 0) {
      state.setTransientStorage(address, key, memory.wordBytes(slot + SLOT_VALUE, 32));
      return;
    }
    if ((flags & SLOT_WARM) !== 0) state.warmSlotLater(address, key);
    const isFresh = (flags & SLOT_FRESH) !== 0;
    if (isFresh && memory.isSameWord(slot + SLOT_VALUE, slot + SLOT_ORIGINAL)) return;
    const after = memory.wordBytes(slot + SLOT_VALUE, 32);
    if (isFresh)
      state.replaceStorage(address, key, { before: memory.wordBytes(slot + SLOT_ORIGINAL, 32), after });
    else state.setStorage(address, key, after);
  }
}
