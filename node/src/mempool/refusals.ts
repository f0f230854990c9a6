interface Refusal {
  readonly error: unknown;
  /** Of the pool, where the refusal follows from what it held. */
  readonly revision: number | undefined;
}

/**
 * Why transactions were refused, so that the same bytes, sent again and again, are not decoded and recovered again.
 * What CheckTx said holds until the next block, what the pool said until the pool changes.
 */
export class Refusals {
  readonly #max: number;
  readonly #byHash = new Map<string, Refusal>();

  constructor(max: number) {
    this.#max = max;
  }

  get(hashKey: string, revision: number): unknown {
    const known = this.#byHash.get(hashKey);
    return known?.revision === undefined || known.revision === revision ? known?.error : undefined;
  }

  /** The oldest goes when there are too many. */
  remember(hashKey: string, error: unknown, revision?: number): void {
    this.#byHash.delete(hashKey);
    this.#byHash.set(hashKey, { error, revision });
    if (this.#byHash.size <= this.#max) return;
    for (const oldest of this.#byHash.keys()) {
      this.#byHash.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.#byHash.clear();
  }
}
