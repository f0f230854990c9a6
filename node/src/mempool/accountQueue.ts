import type { Entry } from './entry.ts';

/**
 * One sender's transactions by nonce. From the state nonce on, the unbroken run is pending; what lies behind a
 * gap is queued.
 */
export class AccountQueue {
  readonly #byNonce = new Map<bigint, Entry>();
  #stateNonce: bigint;
  /** The first nonce at or above the state nonce that is not held. */
  #next: bigint;

  constructor(stateNonce: bigint) {
    this.#stateNonce = stateNonce;
    this.#next = stateNonce;
  }

  get size(): number {
    return this.#byNonce.size;
  }

  get stateNonce(): bigint {
    return this.#stateNonce;
  }

  get nextNonce(): bigint {
    return this.#next;
  }

  get pendingCount(): number {
    return Number(this.#next - this.#stateNonce);
  }

  get(nonce: bigint): Entry | undefined {
    return this.#byNonce.get(nonce);
  }

  put(entry: Entry): void {
    this.#byNonce.set(entry.nonce, entry);
    this.#extend();
  }

  remove(nonce: bigint): void {
    if (!this.#byNonce.delete(nonce)) return;
    if (nonce >= this.#stateNonce && nonce < this.#next) this.#next = nonce;
  }

  /** Moves to the nonce that the state has now; returns what fell below it, removed. */
  moveTo(stateNonce: bigint): Entry[] {
    if (stateNonce === this.#stateNonce) return [];
    const stale = [...this.#byNonce.values()].filter(({ nonce }) => nonce < stateNonce);
    for (const { nonce } of stale) this.#byNonce.delete(nonce);
    this.#stateNonce = stateNonce;
    this.#next = stateNonce;
    this.#extend();
    return stale;
  }

  *pending(from = this.#stateNonce): Iterable<Entry> {
    for (let nonce = from; nonce < this.#next; nonce++) yield this.#byNonce.get(nonce)!;
  }

  queued(): Entry[] {
    return this.byNonce().filter(({ nonce }) => nonce >= this.#next);
  }

  /** Everything held, nonces ascending. */
  byNonce(): Entry[] {
    return [...this.#byNonce.values()].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  #extend(): void {
    while (this.#byNonce.has(this.#next)) this.#next++;
  }
}
