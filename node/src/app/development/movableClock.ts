import type { Clock } from '@chain/platform';

/** A clock that a development tool may move. Nobody else does: elsewhere it is the one it is made of. */
export class MovableClock implements Clock {
  readonly #clock: Clock;
  #aheadMs = 0;
  #heldMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#heldMs ?? this.#clock.now() + this.#aheadMs;
  }

  /** Shows the machine's time again. */
  reset(): void {
    this.#heldMs = undefined;
    this.#aheadMs = 0;
  }

  /** Gives how far it is ahead now, in milliseconds. */
  move(milliseconds: number): number {
    this.#letGo();
    this.#aheadMs += milliseconds;
    return this.#aheadMs;
  }

  /** Shows one time until a block has it: what is asked about the block to come sees the time that it will have. */
  hold(milliseconds: number): void {
    this.#heldMs = milliseconds;
  }

  /** A block has this time: the clock goes on from there. */
  reached(milliseconds: number): void {
    if (this.#heldMs !== undefined && milliseconds >= this.#heldMs) this.#letGo();
  }

  #letGo(): void {
    if (this.#heldMs === undefined) return;
    this.#aheadMs = this.#heldMs - this.#clock.now();
    this.#heldMs = undefined;
  }
}
