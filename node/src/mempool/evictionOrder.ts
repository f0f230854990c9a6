import type { Standing } from './accountQueue.ts';
import { type Entry, type EntryQueue, effectiveTip } from './entry.ts';
import { IndexedHeap } from './indexedHeap.ts';

/** What must leave to make room; both may be zero or negative. */
export interface Shortage {
  readonly transactions: number;
  readonly bytes: number;
}

/** How many an account has above its slots, and what its last transaction pays. */
interface Weight {
  readonly surplus: number;
  readonly tip: bigint;
}

export type Outcome =
  | { readonly victims: readonly Entry[] }
  /** Why there is no room: a tip above this one, in wei, would have made some; or no tip would. */
  | { readonly tip: bigint | undefined };

/**
 * Who gives way among the pending or the queued ones: of the account that has most above its slots the highest
 * nonce, so that no run is torn; of equal ones the cheapest, then the newest. Local accounts never do.
 */
export class EvictionOrder {
  readonly #standing: Standing;
  readonly #slots: number;
  readonly #heap: IndexedHeap<EntryQueue>;
  /** Transactions that a plan under way has taken of an account's end. */
  readonly #taken = new Map<EntryQueue, number>();
  #baseFee = 0n;

  constructor(standing: Standing, slots: number) {
    this.#standing = standing;
    this.#slots = slots;
    this.#heap = new IndexedHeap((a, b) => this.#isWorse(a, b));
  }

  /** After the account's transactions have changed. */
  update(queue: EntryQueue): void {
    if (this.#last(queue) && !queue.isLocal) this.#heap.update(queue);
    else this.#heap.delete(queue);
  }

  setBaseFee(baseFee: bigint): void {
    if (baseFee === this.#baseFee) return;
    this.#baseFee = baseFee;
    this.#heap.reorder();
  }

  /** Who gives way first of all. */
  get worst(): Entry | undefined {
    return this.#heap.first && this.#last(this.#heap.first);
  }

  /** Who gives way to `arrival`, which is one more of its account; that account's own are spared. Changes nothing. */
  plan(arrival: Entry, shortage: Shortage): Outcome {
    const { queue } = arrival;
    const weight = { surplus: this.#surplus(queue, 1), tip: effectiveTip(arrival, this.#baseFee) };
    this.#heap.delete(queue);
    try {
      return this.#pick(weight, shortage);
    } finally {
      const touched = [...this.#taken.keys()];
      this.#taken.clear();
      for (const each of [...touched, queue]) this.update(each);
    }
  }

  #pick(arrival: Weight, shortage: Shortage): Outcome {
    const victims: Entry[] = [];
    let bytes = 0;
    while (victims.length < shortage.transactions || bytes < shortage.bytes) {
      const account = this.#heap.first;
      const victim = account && this.#last(account);
      if (!victim) return { tip: undefined };
      const [surplus, tip] = [this.#surplus(account), effectiveTip(victim, this.#baseFee)];
      if (surplus < arrival.surplus) return { tip: undefined };
      if (surplus === arrival.surplus && tip >= arrival.tip) return { tip };
      victims.push(victim);
      bytes += victim.checked.raw.length;
      this.#taken.set(account, (this.#taken.get(account) ?? 0) + 1);
      this.update(account);
    }
    return { victims };
  }

  #isWorse(a: EntryQueue, b: EntryQueue): boolean {
    const more = this.#surplus(a) - this.#surplus(b);
    if (more !== 0) return more > 0;
    const [last, other] = [this.#last(a)!, this.#last(b)!];
    const dearer = effectiveTip(last, this.#baseFee) - effectiveTip(other, this.#baseFee);
    return dearer === 0n ? last.sequence > other.sequence : dearer < 0n;
  }

  #surplus(queue: EntryQueue, more = 0): number {
    const count = queue[this.#standing].length - (this.#taken.get(queue) ?? 0) + more;
    return Math.max(0, count - this.#slots);
  }

  #last(queue: EntryQueue): Entry | undefined {
    return queue[this.#standing].at(-1 - (this.#taken.get(queue) ?? 0));
  }
}
