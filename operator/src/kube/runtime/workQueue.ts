/** Deterministic in tests. */
export interface QueueDeps {
  readonly now: () => number;
  readonly random?: () => number;
  readonly onAdded?: () => void;
  readonly onRetried?: () => void;
  /** How long a key waited before it was taken, in milliseconds. */
  readonly onTaken?: (waitedMs: number) => void;
}

export interface RetryWait {
  readonly leastMs?: number | undefined;
  readonly maxMs?: number | undefined;
}

const BASE_MS = 5;
const MAX_MS = 300_000;
/** setTimeout fires at once above 2^31 - 1 ms. */
const MAX_TIMER_MS = 24 * 3_600_000;
const BUCKET = { perSecond: 10, burst: 100 } as const;

/**
 * Keys that want work, each at most once at a time: a key that is added while it is worked on comes back when that
 * is done. The same semantics as client-go's rate limiting queue.
 */
export class WorkQueue {
  readonly #deps: QueueDeps;
  /** In the order in which they were added, with the time. */
  readonly #waiting = new Map<string, number>();
  readonly #processing = new Set<string>();
  readonly #again = new Set<string>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly dueAt: number }>();
  readonly #failures = new Map<string, number>();
  /** Until when the server has asked to wait with a key. */
  readonly #notBefore = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #tokens: number = BUCKET.burst;
  #tokensAt: number;
  #isClosed = false;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#tokensAt = deps.now();
  }

  get depth(): number {
    return this.#waiting.size;
  }

  /** Of the key that has waited longest; undefined when none does. */
  get longestWaitMs(): number | undefined {
    const { value: addedAt } = this.#waiting.values().next();
    return addedAt === undefined ? undefined : this.#deps.now() - addedAt;
  }

  get processing(): number {
    return this.#processing.size;
  }

  add(key: string): void {
    if (this.#isClosed) return;
    this.#deps.onAdded?.();
    if (this.#processing.has(key)) this.#again.add(key);
    else if (!this.#waiting.has(key)) {
      this.#waiting.set(key, this.#deps.now());
      this.#hand();
    }
  }

  /** One timer a key: the earliest wins. */
  addAfter(key: string, ms: number): void {
    if (this.#isClosed) return;
    if (!(ms > 0)) {
      this.add(key);
      return;
    }
    const dueAt = this.#deps.now() + Math.min(ms, MAX_TIMER_MS);
    const pending = this.#timers.get(key);
    if (pending && pending.dueAt <= dueAt) return;
    if (pending) clearTimeout(pending.timer);
    const timer = setTimeout(
      () => {
        this.#timers.delete(key);
        this.add(key);
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    this.#timers.set(key, { timer, dueAt });
  }

  /**
   * Later with every failure, and no faster than the bucket for all keys allows. `leastMs`: what a server asked for;
   * `maxMs`: so late at most, beside that, and five minutes at most.
   */
  addRateLimited(key: string, { leastMs = 0, maxMs = MAX_MS }: RetryWait = {}): void {
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    this.#deps.onRetried?.();
    const { random = Math.random } = this.#deps;
    const backoff = Math.min(BASE_MS * 2 ** Math.min(failures, 30), maxMs, MAX_MS) * (0.75 + random() / 4);
    if (leastMs > 0) this.#notBefore.set(key, this.#deps.now() + leastMs);
    this.addAfter(key, Math.max(backoff, leastMs, this.#reserve()));
  }

  /** Sooner than its failures would have it: what it failed by has ended. No sooner than the server asked for. */
  hurry(key: string): void {
    this.addAfter(key, (this.#notBefore.get(key) ?? 0) - this.#deps.now());
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next failure waits as little as the first. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#notBefore.delete(key);
  }

  /** The next key, which is worked on until `done`; undefined when closed. */
  take(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((taken) => {
      this.#takers.push(taken);
      this.#hand();
    });
  }

  done(key: string): void {
    this.#processing.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Takers get undefined; what waits is forgotten. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
    this.#again.clear();
    for (const taken of this.#takers.splice(0)) taken(undefined);
  }

  #hand(): void {
    while (this.#takers.length > 0 && this.#waiting.size > 0) {
      const [key, addedAt] = this.#waiting.entries().next().value!;
      this.#waiting.delete(key);
      this.#processing.add(key);
      this.#deps.onTaken?.(this.#deps.now() - addedAt);
      this.#takers.shift()!(key);
    }
  }

  /** Takes a token, also one of the future; how long until it is there. */
  #reserve(): number {
    const now = this.#deps.now();
    this.#tokens = Math.min(BUCKET.burst, this.#tokens + ((now - this.#tokensAt) / 1000) * BUCKET.perSecond);
    this.#tokensAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / BUCKET.perSecond) * 1000;
  }
}
