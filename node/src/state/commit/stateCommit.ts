import { mkdirSync } from 'node:fs';
import { type Clock, CodedError, type Logger, type MetricsRegistry, systemClock } from '@chain/platform';
import type { BlockChanges } from '../../types/index.ts';
import { type Changelog, type DirectoryLock, lockDirectory } from '../changelog/index.ts';
import type { KeyRange, KeyValue, PointReads, RangeReads } from '../view/index.ts';
import { appHashOf } from './appHash.ts';
import { type FrozenState, freezeState } from './export/frozenState.ts';
import { checkStores, createGenesisSnapshot, loadSnapshot } from './loadSnapshot.ts';
import { NodeHasher } from './memiavl/nodeHasher.ts';
import { PageCache } from './memiavl/pageCache.ts';
import type { MultiTree } from './multiTree.ts';
import { replayChangelog } from './replay.ts';
import { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import { SnapshotRewrite, type Snapshotted } from './snapshotRewrite.ts';
import { createStateCommitMetrics, type StateCommitMetrics } from './stateCommitMetrics.ts';
import { type HashDifference, verifyHashes } from './verifyHashes.ts';

export interface StateCommitOptions {
  readonly directory: string;
  /** Names of all stores; fixed for the life of the data. */
  readonly stores: readonly string[];
  /** The first block's height; only used when the directory is created. */
  readonly initialVersion?: number;
  /** Blocks between snapshots. */
  readonly snapshotInterval: number;
  /** Older snapshots that are kept beside the newest. */
  readonly snapshotKeepRecent: number;
  /** Seconds that at least pass between the starts of two snapshots. */
  readonly snapshotMinSeconds?: number;
  /** 0 (the default) is no limit. */
  readonly snapshotBytesPerSecond?: number;
  /** Memory for pages of the snapshot's files; 512 MiB by default. */
  readonly cacheBytes?: number;
}

export interface StateCommitDeps {
  readonly changelog: Changelog;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  readonly clock?: Clock;
}

/** The newest state and its hashes. Values handed out are copies. */
export interface StateCommit extends PointReads, RangeReads {
  readonly version: number;
  /** 32 bytes; what the header of the next block carries. */
  readonly appHash: Uint8Array;
  storeHashes(): ReadonlyMap<string, Uint8Array>;
  /**
   * Moves to `changes.version` in memory and returns the new app hash; the caller logs the changes. Throws
   * STATE_COMMIT_WRONG_VERSION or STATE_COMMIT_UNKNOWN_STORE before anything has changed.
   */
  apply(changes: BlockChanges): Uint8Array;
  /** Called after each block is durable: starts a background snapshot when one is due. */
  maybeSnapshot(): void;
  /** The newest complete snapshot on disk. */
  readonly snapshotVersion: number;
  /** The oldest snapshot on disk; the changelog above it must be kept to be able to go back there. */
  readonly earliestSnapshotVersion: number;
  /** Snapshots the present version and resolves when the trees stand on it. Throws STATE_COMMIT_NOT_DURABLE. */
  snapshotNow(): Promise<void>;
  /** The present version as another thread can read it; `release` once nobody does any more. Costs no copy. */
  freeze(): { readonly frozen: FrozenState; release(): void };
  /** Leaves of all stores. */
  readonly leafCount: number;
  /** Recomputes every hash from the leaves up; `onLeaf` is called for each. Gives the first that is wrong. */
  verifyHashes(onLeaf: () => void): HashDifference | undefined;
  close(): Promise<void>;
}

const DEFAULT_CACHE_BYTES = 512 << 20;

/**
 * Opens the newest snapshot, creating an empty one in a new directory, and replays the changelog to its end.
 * Throws DIRECTORY_LOCKED and STATE_COMMIT_… : FOREIGN, SNAPSHOT_DAMAGED, STORES_CHANGED, CHANGELOG_GAP.
 */
export async function openStateCommit(
  options: StateCommitOptions,
  deps: StateCommitDeps,
): Promise<StateCommit> {
  mkdirSync(options.directory, { recursive: true });
  const lock = lockDirectory(options.directory);
  try {
    const started = performance.now();
    const hasher = new NodeHasher();
    const cache = new PageCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    const directory = new SnapshotDirectory(options.directory);
    directory.recover();
    if (directory.current() === undefined) {
      createGenesisSnapshot(
        directory,
        { stores: options.stores, initialVersion: options.initialVersion ?? 1 },
        hasher,
      );
    }
    const snapshotVersion = directory.current()!;
    const load = (version: number) => loadSnapshot(directory.snapshotPath(version), cache, hasher);
    const { state, initialVersion } = load(snapshotVersion);
    try {
      checkStores(state, options.stores);
      const blocks = replayChangelog(state, deps.changelog);
      const ms = Math.round(performance.now() - started);
      deps.logger.info('State commitment is open', { version: state.version, snapshotVersion, blocks, ms });
    } catch (error) {
      state.close();
      throw error;
    }
    const rewrite = new SnapshotRewrite(
      {
        directory,
        initialVersion,
        keep: options.snapshotKeepRecent + 1,
        bytesPerSecond: options.snapshotBytesPerSecond ?? 0,
      },
      { load: (version) => load(version).state, changelog: deps.changelog, logger: deps.logger },
    );
    return new MemiavlStateCommit(options, deps, { state, directory, rewrite, lock, snapshotVersion });
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Opened {
  readonly state: MultiTree;
  readonly directory: SnapshotDirectory;
  readonly rewrite: SnapshotRewrite;
  readonly lock: DirectoryLock;
  readonly snapshotVersion: number;
}

class MemiavlStateCommit implements StateCommit {
  readonly #options: StateCommitOptions;
  readonly #changelog: Changelog;
  readonly #directory: SnapshotDirectory;
  readonly #rewrite: SnapshotRewrite;
  readonly #lock: DirectoryLock;
  readonly #clock: Clock;
  readonly #metrics: StateCommitMetrics;
  #state: MultiTree;
  #storeHashes: Map<string, Uint8Array>;
  #appHash: Uint8Array;
  #snapshotVersion: number;
  #lastStart: number;
  /** Counts changes of the trees, so that an iterator notices one. */
  #generation = 0;
  #closed: Promise<void> | undefined;

  constructor(options: StateCommitOptions, deps: StateCommitDeps, opened: Opened) {
    this.#options = options;
    this.#changelog = deps.changelog;
    this.#directory = opened.directory;
    this.#rewrite = opened.rewrite;
    this.#lock = opened.lock;
    this.#clock = deps.clock ?? systemClock;
    this.#metrics = createStateCommitMetrics(deps.metrics);
    this.#state = opened.state;
    this.#storeHashes = this.#state.storeHashes();
    this.#appHash = appHashOf(this.#storeHashes);
    this.#snapshotVersion = opened.snapshotVersion;
    this.#lastStart = opened.directory.writtenAt(opened.snapshotVersion);
  }

  get version(): number {
    return this.#state.version;
  }

  get appHash(): Uint8Array {
    return this.#appHash;
  }

  get snapshotVersion(): number {
    return this.#snapshotVersion;
  }

  get earliestSnapshotVersion(): number {
    return this.#directory.versions()[0]!;
  }

  storeHashes(): ReadonlyMap<string, Uint8Array> {
    return this.#storeHashes;
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    return this.#state.tree(store).get(key);
  }

  *iterate(store: string, range: KeyRange = {}): Iterable<KeyValue> {
    const generation = this.#generation;
    for (const entry of this.#state.tree(store).iterate(range)) {
      yield entry;
      if (this.#generation !== generation) throw iteratorOutlived(store);
    }
  }

  apply(changes: BlockChanges): Uint8Array {
    const started = performance.now();
    this.#state.apply(changes);
    this.#generation++;
    this.#storeHashes = this.#state.storeHashes();
    this.#appHash = appHashOf(this.#storeHashes);
    this.#metrics.applied((performance.now() - started) / 1000, changes);
    return this.#appHash;
  }

  maybeSnapshot(): void {
    if (this.#rewrite.isRunning) this.#rewrite.proceed();
    else if (this.#isDue()) this.#start().catch(() => undefined);
  }

  async snapshotNow(): Promise<void> {
    while (this.#rewrite.isRunning) {
      this.#rewrite.proceed();
      await this.#rewrite.idle();
    }
    if (this.#changelog.lastVersion < this.version) {
      throw new CodedError(
        'STATE_COMMIT_NOT_DURABLE',
        `version ${this.version} cannot be snapshotted: the changelog ends at ${this.#changelog.lastVersion}`,
        { fields: { version: this.version, durable: this.#changelog.lastVersion } },
      );
    }
    if (this.#snapshotVersion < this.version) await this.#start();
  }

  freeze(): { readonly frozen: FrozenState; release(): void } {
    return freezeState(this.#state);
  }

  get leafCount(): number {
    return [...this.#state.trees.values()].reduce((sum, tree) => sum + tree.size, 0);
  }

  verifyHashes(onLeaf: () => void): HashDifference | undefined {
    return verifyHashes(this.#state, onLeaf);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #isDue(): boolean {
    const { snapshotInterval, snapshotMinSeconds = 0 } = this.#options;
    const { version } = this.#state;
    return (
      version % snapshotInterval === 0 &&
      version - this.#snapshotVersion >= snapshotInterval &&
      this.#changelog.lastVersion >= version &&
      // A clock that was set back must not put snapshots off until it has caught up.
      Math.abs(this.#clock.now() - this.#lastStart) >= snapshotMinSeconds * 1000
    );
  }

  #start(): Promise<void> {
    this.#lastStart = this.#clock.now();
    return this.#rewrite.start(this.#state, {
      current: () => this.#state,
      published: (done) => this.#published(done),
      replace: (fresh) => this.#replace(fresh),
    });
  }

  #published({ version, seconds }: Snapshotted): void {
    this.#snapshotVersion = version;
    this.#metrics.snapshotted(version, seconds);
  }

  /** Same state, other memory: what was written since the old snapshot is let go. */
  #replace(fresh: MultiTree): void {
    const old = this.#state;
    this.#state = fresh;
    this.#generation++;
    old.close();
  }

  async #close(): Promise<void> {
    await this.#rewrite.stop();
    this.#state.close();
    this.#lock.release();
  }
}

function iteratorOutlived(store: string): CodedError {
  return new CodedError(
    'STATE_COMMIT_ITERATOR_OUTLIVED',
    `an iterator over store "${store}" was used after the state had moved on; read it to its end in one go`,
    { fields: { store } },
  );
}
