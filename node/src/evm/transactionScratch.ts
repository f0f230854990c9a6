import { appendAll, mapKeyOf } from '../primitives/index.ts';
import type { LedgerEvent } from '../types/index.ts';
import { EVM_FORKS, type EvmFork } from './fork/evmFork.ts';
import { standardPrecompileAddresses } from './precompile/standardAddresses.ts';

const NONE: ReadonlySet<string> = new Set();
const PRECOMPILES: ReadonlyMap<EvmFork, ReadonlySet<string>> = new Map(
  EVM_FORKS.map((fork) => [fork, new Set(standardPrecompileAddresses(fork).map(mapKeyOf))]),
);

/** What an EVM transaction remembers and then forgets; every change can be taken back to a mark. */
export class TransactionScratch {
  readonly #undo: Undo[] = [];
  readonly #warmAddresses = new Set<string>();
  readonly #warmSlots = new Set<string>();
  readonly #transient = new Map<string, Uint8Array>();
  readonly #created = new Map<string, Uint8Array>();
  readonly #destroyed = new Map<string, Uint8Array>();
  readonly #events: LedgerEvent[] = [];
  /** Values at the start of the transaction of every slot written in it; a revert does not change them. */
  readonly #original = new Map<string, OriginalSlot>();
  /** What became warm, or was written to transient storage, and is not kept yet. */
  #lateWarm: Iterable<LateSlot>[] = [];
  #lateTransient: Iterable<LateSlot>[] = [];
  readonly #lateOriginals: OriginalSlot[] = [];
  #warmPrecompiles = NONE;

  mark(): number {
    this.#settle();
    return this.#undo.length;
  }

  revertTo(mark: number): void {
    this.#settle();
    for (let i = this.#undo.length - 1; i >= mark; i--) {
      const step = this.#undo[i]!;
      if (typeof step === 'function') step();
      else step.set.delete(step.key);
    }
    // A mark from before `clear` lies beyond the end: there is nothing left to take back.
    if (mark < this.#undo.length) this.#undo.length = mark;
  }

  clear(): void {
    this.#undo.length = 0;
    this.#lateWarm = [];
    this.#lateTransient = [];
    this.#lateOriginals.length = 0;
    this.#warmPrecompiles = NONE;
    this.#warmAddresses.clear();
    this.#warmSlots.clear();
    this.#transient.clear();
    this.#created.clear();
    this.#destroyed.clear();
    this.#original.clear();
    this.#events.length = 0;
  }

  isWarmAddress(address: Uint8Array): boolean {
    this.#settleWarm();
    const key = mapKeyOf(address);
    return this.#warmAddresses.has(key) || this.#warmPrecompiles.has(key);
  }

  warmAddress(address: Uint8Array): void {
    this.#add(this.#warmAddresses, mapKeyOf(address));
  }

  /** Until `clear`, whatever is taken back. */
  warmPrecompiles(fork: EvmFork): void {
    this.#warmPrecompiles = PRECOMPILES.get(fork)!;
  }

  /** Addresses, and slots of addresses; nothing is read of them until somebody asks. */
  warmLater(slots: Iterable<LateSlot>): void {
    this.#lateWarm.push(slots);
  }

  isWarmSlot(address: Uint8Array, slot: Uint8Array): boolean {
    this.#settleWarm();
    if (this.#warmSlots.size === 0) return false;
    return this.#warmSlots.has(mapKeyOf(address) + mapKeyOf(slot));
  }

  warmSlot(address: Uint8Array, slot: Uint8Array): void {
    this.#add(this.#warmSlots, mapKeyOf(address) + mapKeyOf(slot));
  }

  /** Every warm address and slot, as map keys of 20 and 52 bytes. */
  warm(): { addresses: Iterable<string>; slots: Iterable<string> } {
    this.#settleWarm();
    return { addresses: this.#warmAddresses.union(this.#warmPrecompiles), slots: this.#warmSlots };
  }

  hasTransient(): boolean {
    return this.#transient.size > 0 || this.#lateTransient.length > 0;
  }

  transient(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    this.#settleTransient();
    if (this.#transient.size === 0) return undefined;
    return this.#transient.get(mapKeyOf(address) + mapKeyOf(slot));
  }

  /** Words; nothing is read of them until somebody asks. */
  setTransientLater(slots: Iterable<LateSlot>): void {
    this.#lateTransient.push(slots);
  }

  setTransient(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#settleTransient();
    const key = mapKeyOf(address) + mapKeyOf(slot);
    const before = this.#transient.get(key);
    this.#undo.push(() =>
      before === undefined ? this.#transient.delete(key) : this.#transient.set(key, before),
    );
    this.#transient.set(key, value);
  }

  addEvents(events: readonly LedgerEvent[]): void {
    const before = this.#events.length;
    this.#undo.push(() => {
      this.#events.length = before;
    });
    appendAll(this.#events, events);
  }

  events(): Iterable<LedgerEvent> {
    return this.#events;
  }

  isCreated(address: Uint8Array): boolean {
    return this.#created.has(mapKeyOf(address));
  }

  markCreated(address: Uint8Array): void {
    this.#put(this.#created, address);
  }

  markDestroyed(address: Uint8Array): void {
    this.#put(this.#destroyed, address);
  }

  isDestroyed(address: Uint8Array): boolean {
    return this.#destroyed.has(mapKeyOf(address));
  }

  destroyed(): Iterable<Uint8Array> {
    return this.#destroyed.values();
  }

  original(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    this.#settleOriginals();
    if (this.#original.size === 0) return undefined;
    return this.#original.get(mapKeyOf(address) + mapKeyOf(slot))?.value;
  }

  keepOriginal(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#settleOriginals();
    this.#keep({ address, slot, value });
  }

  #settleOriginals(): void {
    for (const late of this.#lateOriginals) this.#keep(late);
    this.#lateOriginals.length = 0;
  }

  #keep({ address, slot, value }: OriginalSlot): void {
    const key = mapKeyOf(address) + mapKeyOf(slot);
    if (!this.#original.has(key)) this.#original.set(key, { address, slot, value });
  }

  /** The same, for a slot of which none is kept: it costs little until somebody asks. */
  keepOriginalLater(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#lateOriginals.push({ address, slot, value });
  }

  originals(): Iterable<OriginalSlot> {
    this.#settleOriginals();
    return this.#original.values();
  }

  #add(set: Set<string>, key: string): void {
    if (set.has(key)) return;
    set.add(key);
    this.#undo.push({ set, key });
  }

  #settle(): void {
    this.#settleWarm();
    this.#settleTransient();
  }

  #settleWarm(): void {
    if (this.#lateWarm.length === 0) return;
    const late = this.#lateWarm;
    this.#lateWarm = [];
    for (const slots of late) {
      for (const { address, slot } of slots) {
        if (slot) this.warmSlot(address, slot);
        else this.warmAddress(address);
      }
    }
  }

  #settleTransient(): void {
    if (this.#lateTransient.length === 0) return;
    const late = this.#lateTransient;
    this.#lateTransient = [];
    for (const slots of late) {
      for (const { address, slot, value } of slots) this.setTransient(address, slot!, value!);
    }
  }

  #put(map: Map<string, Uint8Array>, address: Uint8Array): void {
    const key = mapKeyOf(address);
    if (map.has(key)) return;
    map.set(key, address);
    this.#undo.push(() => map.delete(key));
  }
}

/** A slot written in the transaction and what it held before. */
export interface OriginalSlot {
  readonly address: Uint8Array;
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}

/** An account, or a slot of it and its word. */
export interface LateSlot {
  readonly address: Uint8Array;
  readonly slot?: Uint8Array;
  readonly value?: Uint8Array;
}

/** A text to take out of a set again, or whatever else takes a step back. */
type Undo = (() => void) | { readonly set: Set<string>; readonly key: string };
