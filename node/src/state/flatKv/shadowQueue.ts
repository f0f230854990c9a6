import type { CodedError } from '@chain/platform';
import type { EngineLink, EngineStatus } from './thread/messages.ts';

export interface QueuedBlock {
  readonly version: number;
  readonly payload: Uint8Array;
  readonly goBack?: boolean;
}

interface QueueDeps {
  readonly thread: EngineLink;
  readonly onApplied: (status: EngineStatus, waiting: number) => void;
  readonly onFailed: (error: CodedError) => void;
}

/** Requests that the thread has at a time: enough that it never waits for the next one. */
const IN_FLIGHT = 4;

/**
 * Blocks on their way to the thread. `push` waits only when more bytes are queued than allowed. After a failure,
 * and while stopping, blocks are dropped: the changelog has them.
 */
export class ShadowQueue {
  readonly #maxBytes: number;
  readonly #syncInterval: number;
  readonly #deps: QueueDeps;
  readonly #waiting: QueuedBlock[] = [];
  readonly #wakers = new Set<() => void>();
  #bytes = 0;
  #inFlight = 0;
  #stopped = false;

  constructor(options: { readonly maxBytes: number; readonly syncInterval: number }, deps: QueueDeps) {
    this.#maxBytes = options.maxBytes;
    this.#syncInterval = options.syncInterval;
    this.#deps = deps;
  }

  async push(block: QueuedBlock): Promise<void> {
    if (this.#stopped) return;
    this.#waiting.push(block);
    this.#bytes += block.payload.length;
    this.#send();
    while (this.#bytes > this.#maxBytes && !this.#stopped) await this.#progress();
  }

  /** Resolves when nothing is queued or under way any more, whether or not that failed. */
  async idle(): Promise<void> {
    while (this.#inFlight > 0) await this.#progress();
  }

  /** Drops what the thread does not have yet. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#wake();
    return this.idle();
  }

  #send(): void {
    while (this.#inFlight < IN_FLIGHT && this.#waiting.length > 0) {
      const { version, payload, goBack } = this.#waiting.shift()!;
      const bytes = payload.length;
      this.#inFlight++;
      const sync = version % this.#syncInterval === 0;
      void this.#deps.thread
        .call(goBack ? { kind: 'goBack', payload } : { kind: 'apply', payload, sync })
        .then(
          (status) => this.#deps.onApplied(status, this.#waiting.length + this.#inFlight - 1),
          (error: CodedError) => this.#fail(error),
        )
        .finally(() => {
          this.#inFlight--;
          if (!this.#stopped) this.#bytes -= bytes;
          this.#send();
          this.#wake();
        });
    }
  }

  #fail(error: CodedError): void {
    if (this.#stopped) return;
    this.#deps.onFailed(error);
    void this.stop();
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#wakers.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }
}
