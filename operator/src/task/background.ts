interface Entry<T> {
  value?: T;
  at: number;
  isRunning: boolean;
}

/** Keys follow from specs, which somebody may change without end. */
const MAX_ENTRIES = 4096;

/**
 * Answers that take long, kept: a pass takes the newest, and whoever finds none or an old one has another fetched. Those
 * that nobody has asked for longest are forgotten.
 */
export class Background<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `undefined` while the first is on its way. `run` must not reject. */
  get(key: string, maxAgeMs: number, run: () => Promise<T>): T | undefined {
    const entry = this.#entries.get(key) ?? { at: 0, isRunning: false };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
    if (!entry.isRunning && this.#now() - entry.at > maxAgeMs) {
      entry.isRunning = true;
      void run().then((value) => {
        Object.assign(entry, { value, at: this.#now(), isRunning: false });
      });
    }
    return entry.value;
  }
}
