/** Counts what is asked, and keeps every answer that was none, or a wrong one. */
export class Checker {
  asked = 0;
  readonly failures: string[] = [];

  /** Runs one question; what it throws is noted, and its answer is then missing. */
  async ask<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
    this.asked++;
    try {
      return await run();
    } catch (error) {
      const { code, message, cause } = error as { code?: string; message: string; cause?: { code?: string } };
      this.#note(`${what}: ${code ?? cause?.code ?? ''} ${message.split('\n')[0]}`);
      return undefined;
    }
  }

  expect(holds: boolean, what: string): void {
    if (!holds) this.#note(`wrong: ${what}`);
  }

  #note(what: string): void {
    this.failures.push(`${new Date().toISOString()} ${what}`);
  }
}
