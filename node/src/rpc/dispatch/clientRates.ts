export interface ClientRateOptions {
  readonly perSecond: number;
  /** Calls at once after a pause. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_CLIENTS = 10_000;

/** A token bucket for each client address. Addresses that have been quiet long enough to be full are forgotten. */
export class ClientRates {
  readonly #options: ClientRateOptions;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: ClientRateOptions, deps: { readonly now: () => number }) {
    this.#options = options;
    this.#now = deps.now;
  }

  /** Milliseconds until a client may make a call; takes nothing. */
  waitMs(address: string): number {
    return this.#waitFor(this.#bucketOf(address), 1);
  }

  /** Takes tokens for so many calls; else takes none and gives the milliseconds until there are enough. */
  take(address: string, calls: number): number {
    const bucket = this.#bucketOf(address);
    const wait = this.#waitFor(bucket, calls);
    if (wait === 0) bucket.tokens -= calls;
    return wait;
  }

  #waitFor({ tokens }: Bucket, calls: number): number {
    if (tokens >= calls) return 0;
    const { perSecond, burst } = this.#options;
    const missing = Math.min(calls, burst) - tokens;
    // Less than a microsecond is an error of rounding.
    return Math.max(1, Math.ceil((missing / perSecond) * 1000 - 0.001));
  }

  #bucketOf(address: string): Bucket {
    const { perSecond, burst } = this.#options;
    const now = this.#now();
    const known = this.#buckets.get(address);
    if (known) {
      known.tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
      known.at = now;
      // Last used last: the first ones are the quietest.
      this.#buckets.delete(address);
      this.#buckets.set(address, known);
      return known;
    }
    this.#forgetQuiet(now);
    const bucket = { tokens: burst, at: now };
    this.#buckets.set(address, bucket);
    return bucket;
  }

  #forgetQuiet(now: number): void {
    const fullAfterMs = (this.#options.burst / this.#options.perSecond) * 1000;
    for (const [address, { at }] of this.#buckets) {
      if (this.#buckets.size < MAX_CLIENTS && now - at < fullAfterMs) return;
      this.#buckets.delete(address);
    }
  }
}
