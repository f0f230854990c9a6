/**
 * Shares the event loop among long work on one thread: of all that waits one goes on in each turn of the loop, so that
 * a request that comes meanwhile never waits for more than one of them.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** For one piece of work, which steps aside whenever it has run for so many milliseconds. */
  share(milliseconds: number): TurnShare {
    return new TurnShare(this, milliseconds);
  }

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((goOn) => {
      if (this.#waiting.push(goOn) === 1) setImmediate(this.#turn);
    });
  }

  readonly #turn = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#turn);
  };
}

/** `if (share.isOver) await share.next()`, between the steps of the work. */
export class TurnShare {
  readonly #turns: Turns;
  readonly #milliseconds: number;
  #ends: number;

  constructor(turns: Turns, milliseconds: number) {
    this.#turns = turns;
    this.#milliseconds = milliseconds;
    this.#ends = performance.now() + milliseconds;
  }

  /** On `performance.now()`'s scale. */
  get ends(): number {
    return this.#ends;
  }

  get isOver(): boolean {
    return performance.now() >= this.#ends;
  }

  async next(): Promise<void> {
    await this.#turns.next();
    this.#ends = performance.now() + this.#milliseconds;
  }
}
