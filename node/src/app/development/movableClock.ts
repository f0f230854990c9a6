import type { Clock } from '@chain/platform';

/** A clock that a development tool may move. Nobody else does: elsewhere it is the one it is made of. */
export class MovableClock implements Clock {
  readonly #clock: Clock;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /** Shows the machine's time again. */
  reset(): void {
    this.#aheadMs = 0;
  }

  /** Gives how far it is ahead now, in milliseconds. */
  move(milliseconds: number): number {
    this.#aheadMs += milliseconds;
    return this.#aheadMs;
  }
}
