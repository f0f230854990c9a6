import type { CodedError } from '@chain/platform';
import type { EngineLink, EngineRequest, EngineStatus } from './thread/messages.ts';

export interface QueuedBlock {
  readonly version: number;
  readonly payload: Uint8Array;
  readonly rewind?: boolean;
}

interface QueueDeps {
  readonly thread: EngineLink;
  readonly onApplied: (status: EngineStatus, waiting: number) => void;
  readonly onFailed: (error: CodedError) => void;
}

/** Requests that the thread has at a time: enough that it never waits for the next one. */
const IN_FLIGHT = 2;
/** Blocks that one request holds at most; they are written as one. */
const BLOCKS_A_REQUEST = 64;
/** How long a block may wait for others: a request costs both threads more than what a small block holds. */
const GATHER_MS = 50;

/**
 * Blocks on their way to the thread. `push` waits only when more bytes are queued than allowed. After a failure,
 * and while stopping, blocks are dropped: the changelog has them.
 */
export class ShadowQueue {
  readonly #maxBytes: number;
  readonly #deps: QueueDeps;
  readonly #waiting: QueuedBlock[] = [];
  readonly #wakers = new Set<() => void>();
  #bytes = 0;
  #inFlight = 0;
  #stopped = false;
  /** Somebody waits for all that is queued. */
  #draining = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: { readonly maxBytes: number }, deps: QueueDeps) {
    this.#maxBytes = options.maxBytes;
    this.#deps = deps;
  }

  async push(block: QueuedBlock): Promise<void> {
    if (this.#stopped) return;
    this.#waiting.push(block);
    this.#bytes += block.payload.length;
    const isFull = this.#waiting.length >= BLOCKS_A_REQUEST || this.#bytes > this.#maxBytes / 2;
    if (isFull || this.#draining > 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
    while (this.#bytes > this.#maxBytes && !this.#stopped) await this.#progress();
  }

  /** Resolves when nothing is queued or under way any more, whether or not that failed. */
  async idle(): Promise<void> {
    this.#draining++;
    this.#send();
    while (this.#inFlight > 0) await this.#progress();
    this.#draining--;
  }

  /** Drops what the thread does not have yet. */
  stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#wake();
    return this.idle();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#inFlight < IN_FLIGHT && this.#waiting.length > 0) this.#request(this.#nextBlocks());
  }

  /** Several that follow one another, or one that goes back. */
  #nextBlocks(): readonly QueuedBlock[] {
    const back = this.#waiting.findIndex(({ rewind }) => rewind);
    const forward = back < 0 ? this.#waiting.length : back;
    return this.#waiting.splice(0, Math.min(Math.max(forward, 1), BLOCKS_A_REQUEST));
  }

  #request(blocks: readonly QueuedBlock[]): void {
    this.#inFlight++;
    const bytes = blocks.reduce((sum, { payload }) => sum + payload.length, 0);
    void this.#deps.thread
      .call(this.#requestOf(blocks))
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

  #requestOf(blocks: readonly QueuedBlock[]): EngineRequest {
    const [{ payload, rewind }] = blocks as readonly [QueuedBlock];
    if (rewind) return { kind: 'rewind', payload };
    return { kind: 'apply', payloads: blocks.map((block) => block.payload) };
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
