import type { Standing } from './accountQueue.ts';
import type { Entry, EntryQueue } from './entry.ts';
import { EvictionOrder, type Outcome } from './evictionOrder.ts';
import type { Moment } from './expiry.ts';

export interface SubpoolLimits {
  readonly count: number;
  readonly bytes: number;
  /** Transactions of an account that give way to dearer ones only. */
  readonly slots: number;
}

/** The pending or the queued transactions: how many, since when, and who gives way when there are too many. */
export class Subpool {
  readonly limits: SubpoolLimits;
  readonly #entries = new Set<Entry>();
  readonly #eviction: EvictionOrder;
  #bytes = 0;

  constructor(standing: Standing, limits: SubpoolLimits) {
    this.limits = limits;
    this.#eviction = new EvictionOrder(standing, limits.slots);
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The longest there first. */
  oldestFirst(): Iterable<Entry> {
    return this.#entries;
  }

  enter(entry: Entry, { time, height }: Moment): void {
    entry.since = time;
    entry.sinceHeight = height;
    this.#entries.add(entry);
    this.#bytes += entry.checked.raw.length;
  }

  leave(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.checked.raw.length;
  }

  /** After the account's transactions here have changed. */
  update(queue: EntryQueue): void {
    this.#eviction.update(queue);
  }

  setBaseFee(baseFee: bigint): void {
    this.#eviction.setBaseFee(baseFee);
  }

  /** Who must leave for one more, or for one in the place of another; changes nothing. */
  roomFor(entry: Entry, replaced?: Entry): Outcome {
    const added = entry.checked.raw.length - (replaced?.checked.raw.length ?? 0);
    const shortage = {
      transactions: this.count + (replaced ? 0 : 1) - this.limits.count,
      bytes: this.#bytes + added - this.limits.bytes,
    };
    if (entry.queue.isLocal || (shortage.transactions <= 0 && shortage.bytes <= 0)) return { victims: [] };
    return this.#eviction.plan(entry, shortage);
  }

  /** Who goes first while there are more than the limits allow. */
  get surplus(): Entry | undefined {
    return this.count > this.limits.count || this.#bytes > this.limits.bytes
      ? this.#eviction.worst
      : undefined;
  }
}
