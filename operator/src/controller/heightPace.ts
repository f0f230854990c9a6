/** Between two looks that write where a node gets somewhere: it syncs, or is migrated. */
const MOVING_MS = 5_000;
/** Of each of many that do so at once: together they are written ten times a second. */
const MOVING_SHARE_MS = 100;
/** Turns that were not taken are not lost, up to so many. */
const MAX_TURNS = 2;
/** Who has not asked for so long is gone, or has nothing to tell. */
const FORGOTTEN_MS = 180_000;

interface Asker {
  toldAt: number;
  askedAt: number;
  isMoving: boolean;
}

/**
 * Whose turn it is to write a status in which nothing is new but heights: one every so often over all resources, those
 * first whose last turn is longest ago. A resource that gets somewhere has turns of its own.
 */
export class HeightPace {
  readonly #intervalMs: number;
  readonly #askers = new Map<string, Asker>();
  #turns = 1;
  #turnsAt: number | undefined;

  /** `intervalMs`: between two such writes, over all resources. */
  constructor({ intervalMs }: { readonly intervalMs: number }) {
    this.#intervalMs = intervalMs;
  }

  /** When to look at a resource again that gets somewhere. */
  get movingMs(): number {
    const moving = [...this.#askers.values()].filter(({ isMoving }) => isMoving).length;
    return Math.max(MOVING_MS, moving * MOVING_SHARE_MS);
  }

  /** Whether it may write now; asked again and again, a yes takes the turn. `nowMs`: Unix milliseconds. */
  mayTell(key: string, nowMs: number, isMoving = false): boolean {
    this.#refill(nowMs);
    const asker = this.#askers.get(key) ?? { toldAt: 0, askedAt: nowMs, isMoving };
    this.#askers.set(key, Object.assign(asker, { askedAt: nowMs, isMoving }));
    // A look that comes a little early is as good.
    if (isMoving) return this.#takes(asker, nowMs, nowMs - asker.toldAt >= this.movingMs * 0.9);
    const before = [...this.#askers.values()].filter((one) => !one.isMoving && one.toldAt < asker.toldAt);
    const isNext = before.length < Math.floor(this.#turns);
    if (isNext) this.#turns -= 1;
    return this.#takes(asker, nowMs, isNext);
  }

  /** It has been written for another reason. */
  told(key: string, nowMs: number): void {
    const asker = this.#askers.get(key);
    if (asker) asker.toldAt = nowMs;
  }

  forget(key: string): void {
    this.#askers.delete(key);
  }

  #takes(asker: Asker, nowMs: number, may: boolean): boolean {
    if (may) asker.toldAt = nowMs;
    return may;
  }

  #refill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - (this.#turnsAt ?? nowMs));
    this.#turns = Math.min(MAX_TURNS, this.#turns + passedMs / this.#intervalMs);
    this.#turnsAt = nowMs;
    for (const [key, { askedAt }] of this.#askers)
      if (nowMs - askedAt > FORGOTTEN_MS) this.#askers.delete(key);
  }
}
