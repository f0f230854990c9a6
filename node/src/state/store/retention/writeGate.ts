import { CodedError } from '@chain/platform';

/**
 * Keeps apart the writer, whose batches build on the heads of keys, and work that rewrites heads. Batches may
 * overlap each other; a rewrite is alone. A batch that waits comes before the next rewrite.
 */
export class WriteGate {
  #batches = 0;
  #closed: CodedError | undefined;
  #blocked: PromiseWithResolvers<void> | undefined;
  #drained: PromiseWithResolvers<void> | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  /** A batch begins; `leave` must follow, whether it was written or not. */
  async enter(): Promise<void> {
    while (this.#blocked !== undefined) await this.#blocked.promise;
    this.#batches++;
  }

  leave(): void {
    this.#batches--;
    if (this.#batches === 0) this.#drained?.resolve();
  }

  /** Throws STORE_CLOSED. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(() => this.#alone(work));
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** Work that runs is waited for, work that waits is refused: after a failure its turn may never come. */
  async close(): Promise<void> {
    this.#closed ??= new CodedError(
      'STORE_CLOSED',
      'state store is closed; its keys were to be rewritten after that',
    );
    this.#drained?.reject(this.#closed);
    await this.#tail;
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.#closed;
    const blocked = Promise.withResolvers<void>();
    this.#blocked = blocked;
    try {
      if (this.#batches > 0) {
        this.#drained = Promise.withResolvers<void>();
        await this.#drained.promise;
      }
      return await work();
    } finally {
      this.#drained = undefined;
      this.#blocked = undefined;
      blocked.resolve();
    }
  }
}
