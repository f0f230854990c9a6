/**
 * A stack of opened things. Whatever was opened is closed in reverse order, also after a failed start.
 * Every closer runs; the first failure is thrown at the end.
 */
export class Lifecycle {
  readonly #closers: (() => unknown)[] = [];
  #closing: Promise<void> | undefined;

  /** Registers the closer of a thing just opened and hands the thing back. */
  own<T extends { close(): unknown }>(opened: T): T {
    this.defer(() => opened.close());
    return opened;
  }

  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Idempotent: a second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
