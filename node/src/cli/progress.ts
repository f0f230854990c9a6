const BAR_CHARACTERS = 30;
const REDRAW_MS = 100;
const LINE_MS = 5_000;

/** How far a long command is, on standard error: a bar on a terminal, now and then a line elsewhere. */
class ProgressBar {
  readonly #label: string;
  readonly #onTerminal = process.stderr.isTTY === true;
  readonly #started = performance.now();
  #shown: number;
  #drawn = false;

  constructor(label: string) {
    this.#label = label;
    // A short command says nothing where there is no terminal.
    this.#shown = this.#onTerminal ? Number.NEGATIVE_INFINITY : this.#started;
  }

  update(done: number, total: number): void {
    const now = performance.now();
    const isDue = now - this.#shown >= (this.#onTerminal ? REDRAW_MS : LINE_MS);
    if (!isDue && !(this.#onTerminal && done === total)) return;
    this.#shown = now;
    const share = total === 0 ? 1 : done / total;
    const percent = `${Math.floor(share * 100)}`.padStart(3);
    if (!this.#onTerminal) {
      console.error(
        `${this.#label}: ${percent.trim()} % after ${Math.round((now - this.#started) / 1000)} s`,
      );
      return;
    }
    const filled = Math.round(share * BAR_CHARACTERS);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
    process.stderr.write(`\r${this.#label} ${bar} ${percent} %`);
    this.#drawn = true;
  }

  /** Leaves the bar's line. */
  end(): void {
    if (this.#drawn) process.stderr.write('\n');
    this.#drawn = false;
  }
}

/** Shows progress while `work` runs, and ends the bar's line also when it fails. */
export async function withProgress<T>(
  label: string,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(label);
  try {
    return await work((done, total) => bar.update(done, total));
  } finally {
    bar.end();
  }
}
