import { setImmediate } from 'node:timers/promises';

/** How long work may hold the event loop in one go: reads are synchronous and wait for it. */
const TURN_MS = 4;

/** Breaks long work into turns of the event loop. */
export class Pace {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
