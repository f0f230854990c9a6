import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodedError, type Logger } from '@chain/platform';
import { equalBytes } from '../../primitives/index.ts';
import type { Changelog } from '../changelog/index.ts';
import type { MultiTree } from './multiTree.ts';
import { type BackgroundWrite, writeInBackground } from './snapshot/backgroundWriter.ts';
import type { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import { freezeForSnapshot } from './snapshot/snapshotJob.ts';

export interface Snapshotted {
  readonly version: number;
  readonly seconds: number;
}

/** How the rewrite sees the state that goes on meanwhile. */
interface LiveState {
  current(): MultiTree;
  published(snapshot: Snapshotted): void;
  /** `fresh` holds the very state of `current()`. */
  replace(fresh: MultiTree): void;
}

interface Settings {
  readonly directory: SnapshotDirectory;
  readonly initialVersion: number;
  /** Snapshots kept, the newest included; at least 1. */
  readonly keep: number;
  readonly bytesPerSecond: number;
}

interface Deps {
  readonly load: (version: number) => MultiTree;
  readonly changelog: Changelog;
  readonly logger: Logger;
}

/**
 * One background snapshot at a time: freeze, write on another thread, publish, open the new snapshot, replay
 * the blocks made meanwhile one a turn, and put it in the place of the live trees. Block production waits for
 * none of it.
 */
export class SnapshotRewrite {
  readonly #settings: Settings;
  readonly #deps: Deps;
  #running: Promise<void> | undefined;
  #write: BackgroundWrite | undefined;
  #stopped = false;
  /** Wakes the catch-up when a further block has become durable. */
  #wake: () => void = () => undefined;

  constructor(settings: Settings, deps: Deps) {
    this.#settings = settings;
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when no rewrite runs, whatever its outcome. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** A failure is logged and thrown; the live state is not touched by it. */
  start(state: MultiTree, live: LiveState): Promise<void> {
    this.#running = this.#run(state, live)
      .catch(async (error: unknown) => {
        this.#deps.logger.error('Snapshot failed; it is tried again when the next is due', {
          version: state.version,
          error,
        });
        throw error;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** To be called when a block has become durable. */
  proceed(): void {
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#write?.stop();
    this.#wake();
    await this.idle();
  }

  async #run(state: MultiTree, live: LiveState): Promise<void> {
    const { directory, keep } = this.#settings;
    const { version } = state;
    const started = performance.now();
    if (!(await this.#writeDraft(state))) return;
    directory.publish(version);
    const seconds = (performance.now() - started) / 1000;
    live.published({ version, seconds });
    this.#deps.logger.info('Snapshot is written', { version, seconds });
    await this.#moveOnto(version, live);
    await directory.prune(Math.max(1, keep));
  }

  /** False when it was stopped. */
  async #writeDraft(state: MultiTree): Promise<boolean> {
    const { directory, initialVersion, bytesPerSecond } = this.#settings;
    const draft = directory.draftPath(state.version);
    await rm(draft, { recursive: true, force: true });
    const base = directory.current();
    const job = freezeForSnapshot(state, {
      draft,
      baseDirectory: base === undefined ? undefined : directory.snapshotPath(base),
      initialVersion,
      bytesPerSecond,
    });
    try {
      this.#write = writeInBackground(job);
      const whole = await this.#write.done;
      if (!whole) await rm(draft, { recursive: true, force: true });
      return whole;
    } finally {
      this.#write = undefined;
      for (const tree of state.trees.values()) tree.space.release();
    }
  }

  async #moveOnto(version: number, live: LiveState): Promise<void> {
    const fresh = this.#deps.load(version);
    try {
      while (!this.#stopped && fresh.version !== live.current().version) await this.#replaySome(fresh);
    } catch (error) {
      fresh.close();
      throw error;
    }
    if (this.#stopped) {
      fresh.close();
      return;
    }
    if (!equalBytes(fresh.appHash(), live.current().appHash())) {
      fresh.close();
      throw new CodedError(
        'STATE_COMMIT_DIVERGED',
        `the snapshot of version ${version} does not lead to the app hash of version ${fresh.version}; restart the node`,
        { fields: { snapshotVersion: version, version: fresh.version } },
      );
    }
    live.replace(fresh);
  }

  async #replaySome(fresh: MultiTree): Promise<void> {
    const { changelog } = this.#deps;
    if (changelog.lastVersion <= fresh.version) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      return;
    }
    for (const { changes } of changelog.read(fresh.nextVersion, fresh.nextVersion)) fresh.apply(changes);
    fresh.appHash();
    await nextTurn();
  }
}
