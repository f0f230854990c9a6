const WINDOW_MS = 50;
const MAX_MS = 8;

/** Keeps trials that come to nothing from holding up everyone else: so much time of each window, no more. */
export class InlineTrialBudget {
  #windowEnds = 0;
  #spentMs = 0;

  mayGoOn(): boolean {
    return performance.now() > this.#windowEnds || this.#spentMs < MAX_MS;
  }

  add(milliseconds: number): void {
    const now = performance.now();
    if (now > this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS;
      this.#spentMs = 0;
    }
    this.#spentMs += milliseconds;
  }
}
