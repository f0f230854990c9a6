import { isCodedError, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { equalBytes } from '../../../primitives/index.ts';
import type { FrozenState } from '../../commit/index.ts';
import type { RestorePoint } from '../restorePoint.ts';
import type { SnapshotShelf } from '../shelf/snapshotShelf.ts';
import { createSnapshot } from './createSnapshot.ts';

export interface ScheduleOptions {
  /** Blocks between snapshots; 0 makes none. */
  readonly interval: number;
  /** Newest snapshots kept; 0 keeps all. */
  readonly keepRecent: number;
}

export interface ScheduleDeps {
  readonly shelf: SnapshotShelf;
  /** Freezes the newest state. */
  readonly freeze: () => { readonly frozen: FrozenState; release(): void };
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/** Makes a snapshot every `interval` blocks, one at a time, while the chain goes on. */
export class SnapshotSchedule {
  readonly #options: ScheduleOptions;
  readonly #deps: ScheduleDeps;
  readonly #stop = new AbortController();
  readonly #observe: { created(height: number, seconds: number): void; failed(): void };
  #running: Promise<void> | undefined;

  constructor(options: ScheduleOptions, deps: ScheduleDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#observe = observer(deps.metrics);
  }

  /** To be called when the block of `height` is committed and SC stands at it. Returns at once, and never throws. */
  onBlock(height: number, restorePoint: () => RestorePoint): void {
    const { interval } = this.#options;
    if (interval === 0 || height % interval !== 0 || this.#stop.signal.aborted) return;
    if (this.#running) {
      this.#deps.logger.warn('Snapshot is left out: the one before is still being written', { height });
      return;
    }
    this.#running = this.#create(height, restorePoint).finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when no snapshot is being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Drops a snapshot that is being written. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** A height comes again after a rollback; a snapshot of what was rolled back makes way. */
  async #isThere({ version, appHash }: FrozenState): Promise<boolean> {
    const { shelf, logger } = this.#deps;
    if (!shelf.has(version)) return false;
    if (equalBytes(shelf.read(version).restorePoint.appHash, appHash)) return true;
    logger.warn('Snapshot of blocks that were rolled back is replaced', { height: version });
    const lock = shelf.lock();
    try {
      await shelf.delete(version);
    } finally {
      lock.release();
    }
    return false;
  }

  async #create(height: number, restorePoint: () => RestorePoint): Promise<void> {
    const { shelf, logger, freeze } = this.#deps;
    const started = performance.now();
    let release: () => void = () => undefined;
    try {
      const state = freeze();
      release = () => state.release();
      const { frozen } = state;
      if (await this.#isThere(frozen)) return;
      const options = { frozen, restorePoint: restorePoint(), keepRecent: this.#options.keepRecent };
      const { chunks, hash } = await createSnapshot(options, { shelf, signal: this.#stop.signal });
      const seconds = Math.round(performance.now() - started) / 1000;
      this.#observe.created(height, seconds);
      logger.info('Snapshot for state sync is written', { height, chunks, hash, seconds });
    } catch (error) {
      if (isCodedError(error, 'SNAPSHOT_STOPPED')) return;
      this.#observe.failed();
      logger.error('Snapshot for state sync failed; it is tried again at the next interval', {
        height,
        error,
      });
    } finally {
      release();
    }
  }
}

function observer(metrics: MetricsRegistry | undefined) {
  const newest = metrics?.gauge({
    name: 'chain_state_snapshot_newest_height',
    help: 'Height of the newest snapshot for state sync.',
  });
  const seconds = metrics?.gauge({
    name: 'chain_state_snapshot_duration_seconds',
    help: 'Time that the newest snapshot for state sync took.',
  });
  const failures = metrics?.counter({
    name: 'chain_state_snapshot_failures_total',
    help: 'Snapshots for state sync that could not be written.',
  });
  return {
    created: (height: number, took: number): void => {
      newest?.set(height);
      seconds?.set(took);
    },
    failed: (): void => failures?.add(),
  };
}
