import type { CodedError, Logger } from '@chain/platform';
import type { BlockChanges } from '../../types/index.ts';
import type { DirectoryLock } from '../changelog/index.ts';
import { namedDamage } from './flatKvDamaged.ts';
import type { FlatKvMetrics } from './flatKvMetrics.ts';
import { ShadowQueue } from './shadowQueue.ts';
import type { EngineLink, EngineStatus } from './thread/messages.ts';
import { payloadOf } from './thread/payload.ts';

/** What FlatKV has written of the state, behind the chain. */
export interface FlatKv {
  /** The newest version that is written; it trails the chain by what is queued. */
  readonly version: number;
  /** Every version up to here outlives a power loss: the changelog may be cut below. */
  readonly durableVersion: number;
  /** The lattice hash after `version`, 32 bytes. It is not part of the app hash. */
  readonly hash: Uint8Array;
  /** Set once FlatKV has stopped following: it takes no more blocks and needs no changelog until a restart. */
  readonly failure: CodedError | undefined;
  /**
   * Takes a block that the changelog has. Resolves at once while the queue has room; the work is done on another
   * thread. Never rejects: the app hash does not depend on it.
   */
  apply(changes: BlockChanges): Promise<void>;
  /**
   * Goes back to an older version; `changes` are the rows that later ones wrote, as they were then. Durable when it
   * resolves. Never rejects.
   */
  goBack(changes: BlockChanges): Promise<void>;
  /** Resolves when every block given so far is written, or FlatKV has failed. */
  flushed(): Promise<void>;
  /** Blocks still queued are dropped: the changelog has them. */
  close(): Promise<void>;
}

interface ShadowDeps {
  readonly thread: EngineLink;
  readonly lock: DirectoryLock;
  readonly logger: Logger;
  readonly metrics: FlatKvMetrics;
}

interface ShadowOptions {
  readonly directory: string;
  readonly status: EngineStatus;
  readonly maxQueueBytes: number;
  readonly syncInterval: number;
}

/** A running FlatKV; `openFlatKv` makes it. */
export class ShadowFlatKv implements FlatKv {
  readonly #deps: ShadowDeps;
  readonly #queue: ShadowQueue;
  #status: EngineStatus;
  #failure: CodedError | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ShadowOptions, deps: ShadowDeps) {
    this.#deps = deps;
    this.#status = options.status;
    this.#queue = new ShadowQueue(
      { maxBytes: options.maxQueueBytes, syncInterval: options.syncInterval },
      {
        thread: deps.thread,
        onApplied: (status, waiting) => {
          this.#status = status;
          deps.metrics.applied(status, waiting);
        },
        onFailed: (error) => this.#fail(namedDamage(options.directory, error) as CodedError),
      },
    );
  }

  get version(): number {
    return this.#status.version;
  }

  get durableVersion(): number {
    return this.#status.durableVersion;
  }

  get hash(): Uint8Array {
    return this.#status.hash;
  }

  get failure(): CodedError | undefined {
    return this.#failure;
  }

  async apply(changes: BlockChanges): Promise<void> {
    if (this.#failure || this.#closing) return;
    await this.#queue.push({ version: changes.version, payload: payloadOf(changes) });
  }

  async goBack(changes: BlockChanges): Promise<void> {
    if (this.#failure || this.#closing) return;
    await this.#queue.push({ version: changes.version, payload: payloadOf(changes), goBack: true });
    await this.#queue.idle();
  }

  flushed(): Promise<void> {
    return this.#queue.idle();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#queue.stop();
      await this.#deps.thread.close();
    } finally {
      this.#deps.lock.release();
    }
  }

  #fail(error: CodedError): void {
    this.#failure = error;
    this.#deps.metrics.failed();
    this.#deps.logger.error('FlatKV has stopped following the chain; the chain goes on', {
      version: this.version,
      error,
    });
  }
}
