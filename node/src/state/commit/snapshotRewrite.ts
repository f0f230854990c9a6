import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodedError, isCodedError, isDiskFull, type Logger, messageOf } from '@chain/platform';
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

/** How long catching up may hold a turn of the event loop, beyond two blocks. */
const CATCH_UP_MS = 4;

/**
 * One background snapshot at a time: freeze, write on another thread, publish, open the new snapshot, replay
 * the blocks made meanwhile a few a turn, and put it in the place of the live trees. Block production waits for
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
  /** One bounded piece of catching up; true when there is nothing left to do. */
  #step: () => boolean = () => false;

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
      .catch(async (cause: unknown) => {
        const error = failed(this.#settings.directory.path, state.version, cause);
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

  /** To be called when a block has become durable: the only moment when the log surely reaches the live state. */
  proceed(): void {
    try {
      this.#step();
    } catch {
      // The rewrite meets it again in its own turn and fails; the block that was told of has not.
    }
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
    await directory.publish(version);
    const seconds = Math.round(performance.now() - started) / 1000;
    live.published({ version, seconds });
    this.#deps.logger.info('Snapshot is written', { version, seconds });
    await this.#moveOnto(version, live);
    await directory.prune(Math.max(1, keep));
  }

  /** False when it was stopped. */
  async #writeDraft(state: MultiTree): Promise<boolean> {
    const { directory, initialVersion, bytesPerSecond } = this.#settings;
    const draft = directory.draftPath(state.version);
    rmSync(draft, { recursive: true, force: true });
    // Nothing is awaited before this: the live state must still be at the version that was asked for.
    const { job, release } = freezeForSnapshot(state, { draft, initialVersion, bytesPerSecond });
    let whole = false;
    try {
      this.#write = writeInBackground(job);
      whole = await this.#write.done;
      return whole;
    } finally {
      // Also after a failure: on a full disk the next block needs the room.
      if (!whole) await rm(draft, { recursive: true, force: true });
      this.#write = undefined;
      release();
    }
  }

  /** Opens the written snapshot and lets it catch up with the live state, which it then replaces. */
  async #moveOnto(version: number, live: LiveState): Promise<void> {
    const fresh = this.#deps.load(version);
    try {
      this.#step = () => this.#catchUp(fresh, version, live);
      while (!this.#stopped && !this.#step()) {
        const hasMore = this.#deps.changelog.lastVersion > fresh.version;
        await (hasMore ? nextTurn() : this.#nextBlock());
      }
    } catch (error) {
      fresh.close();
      throw error;
    } finally {
      this.#step = () => false;
    }
    if (live.current() !== fresh) fresh.close();
  }

  /** Replays for a moment; true once `fresh` has replaced the live state. */
  #catchUp(fresh: MultiTree, snapshotVersion: number, live: LiveState): boolean {
    if (live.current() === fresh) return true;
    const started = performance.now();
    // Two blocks at least: the chain makes one meanwhile, and it has to be caught up with.
    const blocks = this.#deps.changelog.read(fresh.nextVersion);
    let replayed = 0;
    for (const { changes } of blocks) {
      fresh.apply(changes);
      fresh.appHash();
      if (++replayed >= 2 && performance.now() - started > CATCH_UP_MS) break;
    }
    if (fresh.version !== live.current().version) return false;
    if (!equalBytes(fresh.appHash(), live.current().appHash())) throw diverged(fresh, snapshotVersion);
    live.replace(fresh);
    return true;
  }

  #nextBlock(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function failed(directory: string, version: number, cause: unknown): unknown {
  if (isCodedError(cause)) return cause;
  const remedy = isDiskFull(cause)
    ? 'free space on its disk; the chain goes on'
    : 'check its disk; the chain goes on';
  return new CodedError(
    'STATE_COMMIT_SNAPSHOT_FAILED',
    `the snapshot of version ${version} in ${directory} failed: ${messageOf(cause)}; ${remedy}`,
    { fields: { directory, version }, cause },
  );
}

function diverged({ version }: MultiTree, snapshotVersion: number): CodedError {
  return new CodedError(
    'STATE_COMMIT_DIVERGED',
    `the snapshot of version ${snapshotVersion} does not lead to the app hash of version ${version}; restart the node`,
    { fields: { snapshotVersion, version } },
  );
}
