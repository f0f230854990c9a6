import { type BucketRule, TokenBucket } from './tokenBucket.ts';

export interface ClientBucketsOptions extends BucketRule {
  readonly maxClients: number;
}

export interface ClientBucketsDeps {
  /** The time in ms. */
  readonly now: () => number;
  /** A client was forgotten; `idle`: its bucket was full, so that nothing is lost by it. */
  readonly onEvicted: (state: 'idle' | 'active') => void;
}

/** A bucket for each client, in the order of last use; bounded, and forgetful of idle clients. */
export class ClientBuckets {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #deps: ClientBucketsDeps;
  #options: ClientBucketsOptions;

  constructor(options: ClientBucketsOptions, deps: ClientBucketsDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** New rules hold for what buckets gain from now on; none gains by the change itself. */
  configure(options: ClientBucketsOptions): void {
    this.#options = options;
    while (this.#buckets.size > options.maxClients) this.#evictOldest();
  }

  /** Takes `cost` calls of a client and gives 0, or takes none and gives the ms to wait. */
  take(client: string, cost: number): number {
    const now = this.#deps.now();
    const known = this.#buckets.get(client);
    const bucket = known ?? new TokenBucket(this.#options, now);
    if (known) this.#buckets.delete(client);
    else if (this.#buckets.size >= this.#options.maxClients) this.#evictOldest();
    this.#buckets.set(client, bucket);
    return bucket.take(cost, now, this.#options);
  }

  /** Forgets clients whose buckets are full again, longest unused first, until one is not. */
  forgetIdle(): void {
    const now = this.#deps.now();
    for (const [client, bucket] of this.#buckets) {
      if (!bucket.isFull(now, this.#options)) return;
      this.#buckets.delete(client);
    }
  }

  #evictOldest(): void {
    const [oldest] = this.#buckets;
    if (!oldest) return;
    const [client, bucket] = oldest;
    this.#buckets.delete(client);
    this.#deps.onEvicted(bucket.isFull(this.#deps.now(), this.#options) ? 'idle' : 'active');
  }
}
