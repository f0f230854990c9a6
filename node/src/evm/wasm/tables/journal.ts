import type { EvmLog } from '../../../types/index.ts';
import type { EvmState, LateSlot } from '../../evmState.ts';
import {
  ACCOUNTS,
  ARENA,
  HAS_TRANSIENT,
  JOURNAL_LENGTH,
  JOURNAL_MARK,
  LISTED_KEY,
  LISTED_TRANSIENT_BYTES,
  LISTED_VALUE,
  LISTED_WARM_BYTES,
  REFUND,
  SLOT_COUNT,
  SLOT_FLAGS,
  SLOT_FRESH,
  SLOT_JOURNALED,
  SLOT_KEY,
  SLOT_ORIGINAL,
  SLOT_OWNER,
  SLOT_VALUE,
  SLOT_WARM,
  TRANSIENT,
} from '../memory/layout.ts';
import type { Runtime } from '../runtime/index.ts';
import type { Accounts } from './accounts.ts';
import type { Mark } from './mark.ts';

const NOTHING = new Uint8Array(0);
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

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
    runtime.memory.setU32(HAS_TRANSIENT, state.hasTransient() ? 1 : 0);
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
    return this.#runtime.exports.findSlot(owner, word);
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
      const slot = this.#runtime.exports.slotRecord(i);
      // What is not in the journal is as it was.
      if (memory.u32(slot + SLOT_JOURNALED) === 0) continue;
      const owner = memory.u32(slot + SLOT_OWNER);
      if (owner !== ACCOUNTS && (owner & TRANSIENT) === 0) this.#flushSlot(slot, owner);
    }
    const warm = this.#listed(this.#runtime.exports.gatherWarm(), LISTED_WARM_BYTES);
    if (warm.length > 0) this.#state.warmLater(this.#wordsOf(warm, LISTED_WARM_BYTES));
    const transient = this.#listed(this.#runtime.exports.gatherTransient(), LISTED_TRANSIENT_BYTES);
    if (transient.length > 0) this.#state.setTransientLater(this.#wordsOf(transient, LISTED_TRANSIENT_BYTES));
  }

  #listed(count: number, bytes: number): Uint8Array {
    return count === 0 ? NOTHING : this.#runtime.memory.slice(ARENA, count * bytes);
  }

  /** Of a list of slots; without a slot it is of an account. */
  *#wordsOf(listed: Uint8Array, bytes: number): Iterable<LateSlot> {
    const accounts = this.#accounts;
    const view = new DataView(listed.buffer, listed.byteOffset);
    for (let at = 0; at < listed.length; at += bytes) {
      const owner = view.getUint32(at, true);
      const key = listed.subarray(at + LISTED_KEY, at + LISTED_VALUE);
      if (owner === ACCOUNTS) yield { address: key.subarray(WORD_BYTES - ADDRESS_BYTES) };
      else {
        const { address } = accounts.numbered(owner & ~TRANSIENT);
        yield { address, slot: key, value: listed.subarray(at + LISTED_VALUE, at + bytes) };
      }
    }
  }

  #flushSlot(slot: number, owner: number): void {
    const { memory } = this.#runtime;
    const state = this.#state;
    const isFresh = (memory.u32(slot + SLOT_FLAGS) & SLOT_FRESH) !== 0;
    if (isFresh && memory.isSameWord(slot + SLOT_VALUE, slot + SLOT_ORIGINAL)) return;
    const { address } = this.#accounts.numbered(owner);
    const key = memory.wordBytes(slot + SLOT_KEY, 32);
    const after = memory.wordBytes(slot + SLOT_VALUE, 32);
    if (isFresh)
      state.replaceStorage(address, key, { before: memory.wordBytes(slot + SLOT_ORIGINAL, 32), after });
    else state.setStorage(address, key, after);
  }
}
