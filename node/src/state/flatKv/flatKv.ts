import { CodedError, type Logger } from '@chain/platform';
import type { BlockChanges } from '../../types/index.ts';
import type { Changelog, DirectoryLock } from '../changelog/index.ts';
import type { FrozenRows } from '../view/index.ts';
import { namedDamage } from './flatKvDamaged.ts';
import type { FlatKvMetrics } from './flatKvMetrics.ts';
import { dropWorking } from './layout.ts';
import { rebuild } from './rebuild.ts';
import { ShadowQueue } from './shadowQueue.ts';
import type { EngineLink, EngineStatus } from './thread/messages.ts';
import { payloadOf } from './thread/payload.ts';

/** What FlatKV has written of the state, behind the chain. */
export interface FlatKv {
  /** The newest version that is written; it trails the chain by what is queued, or by a rebuild. */
  readonly version: number;
  /** The changelog may be cut below: this version outlives a power loss, or would be made from SC again. */
  readonly durableVersion: number;
  /** The lattice hash after `version`, 32 bytes. It is not part of the app hash. */
  readonly hash: Uint8Array;
  /** Set once FlatKV has stopped following: it takes no more blocks and needs no changelog until a restart. */
  readonly failure: CodedError | undefined;
  /**
   * Takes a block that the changelog has. Resolves at once while the queue has room; the work is done on another
   * thread. Never rejects: the app hash does not depend on it. While the store is rebuilt, nothing is queued: the
   * block is read from the changelog then.
   */
  apply(changes: BlockChanges): Promise<void>;
  /**
   * Goes back to an older version; `changes` are the rows that later ones wrote, as they were then. Durable when it
   * resolves. A store that has stopped following is dropped instead; rejects only where that fails.
   */
  rewind(changes: BlockChanges): Promise<void>;
  /** Resolves when every block given so far is written, behind a rebuild, or FlatKV has failed. */
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
}

/** Blocks that a store that is being rebuilt has still to take from the changelog. */
interface Behind {
  next: number;
  newest: number;
}

/** A running FlatKV; `openFlatKv` makes it. */
export class ShadowFlatKv implements FlatKv {
  readonly #deps: ShadowDeps;
  readonly #queue: ShadowQueue;
  readonly #directory: string;
  #status: EngineStatus;
  #failure: CodedError | undefined;
  #closing: Promise<void> | undefined;
  #behind: Behind | undefined;
  /** Never rejects. */
  #rebuilt: Promise<void> = Promise.resolve();

  constructor(options: ShadowOptions, deps: ShadowDeps) {
    this.#deps = deps;
    this.#directory = options.directory;
    this.#status = options.status;
    this.#queue = new ShadowQueue(
      { maxBytes: options.maxQueueBytes },
      {
        thread: deps.thread,
        onApplied: (status, waiting) => {
          this.#status = status;
          deps.metrics.applied(status, waiting);
        },
        onFailed: (error) => this.#fail(error),
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
    if (this.#behind) this.#behind.newest = changes.version;
    else await this.#push(changes);
  }

  async rewind(changes: BlockChanges): Promise<void> {
    await this.#rebuilt;
    if (this.#closing) return;
    if (!this.#failure) {
      await this.#queue.push({ version: changes.version, payload: payloadOf(changes), rewind: true });
      await this.#queue.idle();
    }
    // Its blocks are gone: a chain that has come as far again on another way must not find them at its next start.
    if (this.failure) dropWorking(this.#directory);
  }

  async flushed(): Promise<void> {
    await this.#rebuilt;
    await this.#queue.idle();
  }

  /**
   * Makes the store anew, which the thread has begun, while the chain goes on: from the rows of one version, which
   * are let go of, then from the changelog, which has had the blocks since from `next` on. A failure is one of
   * following.
   */
  rebuild(rows: FrozenRows, changelog: Changelog, next: number): void {
    this.#behind = { next, newest: next - 1 };
    this.#status = { ...this.#status, version: 0, durableVersion: rows.version };
    this.#rebuilt = this.#rebuild(rows, changelog).catch((error: CodedError) => {
      if (!this.#closing) this.#fail(error);
    });
  }

  async #rebuild(rows: FrozenRows, changelog: Changelog): Promise<void> {
    const { thread, logger } = this.#deps;
    const started = performance.now();
    const isStopped = () => this.#closing !== undefined;
    const status = await rebuild(rows, { thread, logger, isStopped }).finally(() => rows.release());
    if (!status) return;
    this.#status = status;
    await this.#catchUp(this.#behind!, changelog);
    if (isStopped()) return;
    this.#behind = undefined;
    const ms = Math.round(performance.now() - started);
    logger.info('FlatKV follows the chain', { version: rows.version, rows: rows.count, ms });
  }

  /** Blocks come meanwhile. Throws FLATKV_BLOCKS_GONE. */
  async #catchUp(behind: Behind, changelog: Changelog): Promise<void> {
    while (behind.next <= behind.newest) {
      const { next, newest } = behind;
      for (const { changes } of changelog.read(next, newest)) {
        await this.#push(changes);
        if (this.#closing) return;
        behind.next = changes.version + 1;
      }
      if (behind.next === next) throw blocksGone(next, newest);
    }
  }

  #push(changes: BlockChanges): Promise<void> {
    return this.#queue.push({ version: changes.version, payload: payloadOf(changes) });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#rebuilt;
      await this.#queue.stop();
      await this.#deps.thread.close();
    } finally {
      this.#deps.lock.release();
    }
  }

  #fail(cause: CodedError): void {
    const error = namedDamage(this.#directory, cause) as CodedError;
    this.#failure = error;
    this.#deps.metrics.failed();
    this.#deps.logger.error('FlatKV has stopped following the chain; the chain goes on', {
      version: this.version,
      error,
    });
  }
}

function blocksGone(next: number, newest: number): CodedError {
  return new CodedError(
    'FLATKV_BLOCKS_GONE',
    `FlatKV has still to take versions ${next} to ${newest}, and the changelog has none of them; restart the node, FlatKV is made anew where the changelog does not join it`,
    { fields: { next, newest } },
  );
}
