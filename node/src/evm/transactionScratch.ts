import { mapKeyOf } from '../primitives/index.ts';
import type { LedgerEvent } from '../types/index.ts';
/** What an EVM transaction remembers and then forgets; every change can be taken back to a mark. */
export class TransactionScratch {
  readonly #undo: (() => void)[] = [];
  readonly #warmAddresses = new Set<string>();
  readonly #warmSlots = new Set<string>();
  readonly #transient = new Map<string, Uint8Array>();
  readonly #created = new Map<string, Uint8Array>();
  readonly #destroyed = new Map<string, Uint8Array>();
  readonly #events: LedgerEvent[] = [];
  /** Values at the start of the transaction of every slot written in it; a revert does not change them. */
  readonly #original = new Map<string, OriginalSlot>();

  mark(): number {
    return this.#undo.length;
  }

  revertTo(mark: number): void {
    for (let i = this.#undo.length - 1; i >= mark; i--) this.#undo[i]!();
    // A mark from before `clear` lies beyond the end: there is nothing left to take back.
    if (mark < this.#undo.length) this.#undo.length = mark;
  }

  clear(): void {
    this.#undo.length = 0;
    this.#warmAddresses.clear();
    this.#warmSlots.clear();
    this.#transient.clear();
    this.#created.clear();
    this.#destroyed.clear();
    this.#original.clear();
    this.#events.length = 0;
  }

  isWarmAddress(address: Uint8Array): boolean {
    return this.#warmAddresses.has(mapKeyOf(address));
  }

  warmAddress(address: Uint8Array): void {
    this.#add(this.#warmAddresses, mapKeyOf(address));
  }

  isWarmSlot(address: Uint8Array, slot: Uint8Array): boolean {
    return this.#warmSlots.has(mapKeyOf(address) + mapKeyOf(slot));
  }

  warmSlot(address: Uint8Array, slot: Uint8Array): void {
    this.#add(this.#warmSlots, mapKeyOf(address) + mapKeyOf(slot));
  }

  /** Every warm address and slot, as map keys of 20 and 52 bytes. */
  warm(): { addresses: Iterable<string>; slots: Iterable<string> } {
    return { addresses: this.#warmAddresses, slots: this.#warmSlots };
  }

  transient(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#transient.get(mapKeyOf(address) + mapKeyOf(slot));
  }

  setTransient(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
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
    this.#events.push(...events);
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

  destroyed(): Iterable<Uint8Array> {
    return this.#destroyed.values();
  }

  original(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#original.get(mapKeyOf(address) + mapKeyOf(slot))?.value;
  }

  keepOriginal(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    const key = mapKeyOf(address) + mapKeyOf(slot);
    if (!this.#original.has(key)) this.#original.set(key, { address, slot, value });
  }

  originals(): Iterable<OriginalSlot> {
    return this.#original.values();
  }

  #add(set: Set<string>, key: string): void {
    if (set.has(key)) return;
    set.add(key);
    this.#undo.push(() => set.delete(key));
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
