/** How a bucket fills. */
export interface BucketRule {
  /** Tokens a second. */
  readonly rate: number;
  readonly burst: number;
}

/** Sums of fractions may end a hair below a whole token. */
const EPSILON = 1e-6;

/** Calls that one client may still make. Full at first; times are in ms of any steady clock. */
export class TokenBucket {
  #tokens: number;
  #at: number;

  constructor({ burst }: BucketRule, now: number) {
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes `cost` tokens and gives 0; or takes none, and gives the ms after which there will be enough. */
  take(cost: number, now: number, rule: BucketRule): number {
    this.#fill(now, rule);
    if (this.#tokens + EPSILON >= cost) {
      this.#tokens -= cost;
      return 0;
    }
    return ((cost - this.#tokens) / rule.rate) * 1000;
  }

  /** A full bucket is like a new one: it may be forgotten. */
  isFull(now: number, rule: BucketRule): boolean {
    this.#fill(now, rule);
    return this.#tokens + EPSILON >= rule.burst;
  }

  #fill(now: number, { rate, burst }: BucketRule): void {
    const since = Math.max(0, now - this.#at);
    this.#tokens = Math.min(burst, this.#tokens + (since * rate) / 1000);
    this.#at = now;
  }
}
