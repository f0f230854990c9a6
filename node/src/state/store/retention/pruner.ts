import type { Logger } from '@chain/platform';
import type { BaseStore, EvmStore } from '../stateMember.ts';
import { raiseFloors } from './floors.ts';
import type { PruneMetrics } from './pruneMetrics.ts';

export interface PrunerOptions {
  /** Versions that are kept; 0 keeps all. */
  readonly keepRecent: number;
  /** Between two prunes; 0 = never. */
  readonly intervalSeconds: number;
  readonly compactAfterBytes: number;
}

interface PrunerDeps {
  readonly base: BaseStore;
  readonly evm?: EvmStore | undefined;
  /** The newest version that every database has on disk. */
  readonly durableVersion: () => number;
  readonly logger: Logger;
  readonly metrics: PruneMetrics;
}

/** Prunes now and then, base and EVM store together; a failed prune is logged and goes on at the next. */
export class Pruner {
  readonly #options: PrunerOptions;
  readonly #deps: PrunerDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: PrunerOptions, deps: PrunerDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** The first prune begins at once: a crash may have left one undone. */
  start(): void {
    const { keepRecent, intervalSeconds } = this.#options;
    if (keepRecent > 0 && intervalSeconds > 0) this.#schedule(0);
  }

  /** Raises the floors and drops what is below; without `floor` only finishes what is below it already. */
  prune(floor: number | undefined): Promise<void> {
    const done = this.#running.then(() => this.#prune(floor));
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing is being pruned; what is left of a prune, the next start does. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(seconds: number): void {
    this.#timer = setTimeout(() => {
      const { keepRecent, intervalSeconds } = this.#options;
      const floor = this.#deps.durableVersion() - keepRecent + 1;
      this.prune(floor > 0 ? floor : undefined)
        .catch((error: unknown) => {
          if (this.#stopped) return;
          this.#deps.logger.error('State store could not be pruned; it is tried again', {
            floor,
            seconds: intervalSeconds,
            error,
          });
          this.#deps.metrics.failed();
        })
        .finally(() => {
          if (!this.#stopped) this.#schedule(intervalSeconds);
        });
    }, seconds * 1000);
    // A waiting prune keeps no process alive.
    this.#timer.unref();
  }

  async #prune(floor: number | undefined): Promise<void> {
    if (this.#stopped) return;
    const { base, evm, logger, metrics } = this.#deps;
    const started = performance.now();
    if (floor !== undefined) await raiseFloors({ base, evm }, floor);
    const { compactAfterBytes } = this.#options;
    const options = { compactAfterBytes, isStopped: () => this.#stopped };
    let keys = 0;
    for (const member of evm ? [evm, base] : [base]) keys += await member.prune(options);
    const seconds = Math.round(performance.now() - started) / 1000;
    const earliest = base.markers?.earliest ?? 0;
    metrics.pruned(earliest, keys, seconds);
    if (keys > 0) logger.info('State store is pruned', { earliest, keys, seconds });
  }
}
