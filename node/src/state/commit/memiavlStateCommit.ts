import { type Clock, CodedError, systemClock } from '@chain/platform';
import type { BlockChanges } from '../../types/index.ts';
import type { Changelog, DirectoryLock } from '../changelog/index.ts';
import type { FrozenRows, KeyRange, KeyValue } from '../view/index.ts';
import { appHashOf } from './appHash.ts';
import { freezeRows } from './export/frozenRows.ts';
import { type FrozenState, freezeState } from './export/frozenState.ts';
import { nodeBudget } from './memiavl/memoryBudgets.ts';
import type { MultiTree } from './multiTree.ts';
import type { Proven } from './proof/provableState.ts';
import { lowestReachable, noSnapshot, snapshotBelow } from './reachable.ts';
import { replayChangelog } from './replay.ts';
import type { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import type { SnapshotRewrite, Snapshotted } from './snapshotRewrite.ts';
import type { OlderState, StateCommit, StateCommitDeps, StateCommitOptions } from './stateCommit.ts';
import { createStateCommitMetrics, type StateCommitMetrics } from './stateCommitMetrics.ts';
import { type HashDifference, verifyHashes } from './verifyHashes.ts';
import type { VersionWindow } from './versionWindow.ts';

interface Opened {
  readonly window: VersionWindow;
  readonly directory: SnapshotDirectory;
  readonly rewrite: SnapshotRewrite;
  readonly lock: DirectoryLock;
  readonly snapshotVersion: number;
  readonly initialVersion: number;
  /** The state of a snapshot, with the versions from `from` on kept. */
  readonly load: (version: number, from: number) => MultiTree;
}

/** SC over memiavl trees, as `openStateCommit` has opened them. */
export class MemiavlStateCommit implements StateCommit {
  readonly #options: StateCommitOptions;
  readonly #changelog: Changelog;
  readonly #directory: SnapshotDirectory;
  readonly #rewrite: SnapshotRewrite;
  readonly #lock: DirectoryLock;
  readonly #load: Opened['load'];
  readonly #initialVersion: number;
  readonly #clock: Clock;
  readonly #metrics: StateCommitMetrics;
  readonly #window: VersionWindow;
  #storeHashes: Map<string, Uint8Array>;
  #appHash: Uint8Array;
  #snapshotVersion: number;
  #lastStart: number;
  readonly #nodeBudget: number;
  /** Nodes in memory from which on a snapshot is due; further off behind one that failed. */
  #dueNodes: number;
  /** Counts changes of the trees, so that an iterator notices one. */
  #generation = 0;
  #closed: Promise<void> | undefined;

  constructor(options: StateCommitOptions, deps: StateCommitDeps, opened: Opened) {
    this.#options = options;
    this.#changelog = deps.changelog;
    this.#directory = opened.directory;
    this.#rewrite = opened.rewrite;
    this.#lock = opened.lock;
    this.#load = opened.load;
    this.#initialVersion = opened.initialVersion;
    this.#nodeBudget = options.snapshotNodes ?? nodeBudget();
    this.#dueNodes = this.#nodeBudget;
    this.#clock = deps.clock ?? systemClock;
    this.#metrics = createStateCommitMetrics(deps.metrics);
    this.#window = opened.window;
    this.#storeHashes = this.#state.storeHashes();
    this.#appHash = appHashOf(this.#storeHashes);
    this.#snapshotVersion = opened.snapshotVersion;
    this.#lastStart = opened.directory.writtenAt(opened.snapshotVersion);
  }

  get #state(): MultiTree {
    return this.#window.present;
  }

  get version(): number {
    return this.#state.version;
  }

  get appHash(): Uint8Array {
    return this.#appHash;
  }

  get isSnapshotting(): boolean {
    return this.#rewrite.isRunning;
  }

  get isSnapshotDue(): boolean {
    return !this.#rewrite.isRunning && this.#state.nodeCount >= this.#dueNodes;
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

  get earliestProvableVersion(): number {
    return this.#window.oldestVersion;
  }

  queryWithProof(store: string, key: Uint8Array, version: number): Proven {
    this.#state.tree(store);
    return this.#window.at(version).prove(store, key);
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
    this.#window.trim();
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
    // Nothing is awaited where none runs: the next block may be run before this turn ends.
    if (this.#rewrite.isRunning) await this.#rewritten();
    if (this.#changelog.lastVersion < this.version) {
      throw new CodedError(
        'STATE_COMMIT_NOT_DURABLE',
        `version ${this.version} cannot be snapshotted: the changelog ends at ${this.#changelog.lastVersion}`,
        { fields: { version: this.version, durable: this.#changelog.lastVersion } },
      );
    }
    if (this.#snapshotVersion < this.version) await this.#start();
  }

  get lowestReachable(): number | undefined {
    return lowestReachable(this.#directory, this.#changelog, this.#initialVersion);
  }

  async prepareRewind(version: number): Promise<OlderState> {
    await this.#rewritten();
    const start = snapshotBelow(this.#directory, version);
    const older = this.#load(start, version - (this.#options.provableVersions ?? 1) + 1);
    try {
      replayChangelog(older, this.#changelog, version);
      if (older.version !== version) throw noSnapshot(this.#directory.path, version);
      const appHash = older.appHash();
      return { appHash, take: () => this.#take(older, start), drop: () => older.close() };
    } catch (error) {
      older.close();
      throw error;
    }
  }

  freeze(): { readonly frozen: FrozenState; release(): void } {
    return freezeState(this.#state);
  }

  freezeRows(): FrozenRows {
    return freezeRows(this.#state);
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
    if (this.#changelog.lastVersion < version || this.#snapshotVersion === version) return false;
    return (
      this.isSnapshotDue ||
      (version % snapshotInterval === 0 &&
        version - this.#snapshotVersion >= snapshotInterval &&
        // A clock that was set back must not put snapshots off until it has caught up.
        Math.abs(this.#clock.now() - this.#lastStart) >= snapshotMinSeconds * 1000)
    );
  }

  #start(): Promise<void> {
    this.#lastStart = this.#clock.now();
    this.#dueNodes = this.#state.nodeCount + this.#nodeBudget;
    return this.#rewrite.start(this.#state, {
      current: () => this.#state,
      published: (done) => this.#published(done),
      replace: (fresh) => this.#replace(fresh),
    });
  }

  /** Resolves when no snapshot is being written. */
  async #rewritten(): Promise<void> {
    while (this.#rewrite.isRunning) {
      this.#rewrite.proceed();
      await this.#rewrite.idle();
    }
  }

  async #take(older: MultiTree, snapshotVersion: number): Promise<void> {
    await this.#directory.rewindTo(snapshotVersion);
    this.#window.restart(older);
    this.#dueNodes = this.#nodeBudget;
    this.#generation++;
    this.#snapshotVersion = snapshotVersion;
    this.#storeHashes = older.storeHashes();
    this.#appHash = appHashOf(this.#storeHashes);
  }

  #published({ version, seconds }: Snapshotted): void {
    this.#snapshotVersion = version;
    this.#metrics.snapshotted(version, seconds);
  }

  /** Same state, other memory: what was written since the old snapshot is let go once no proof needs it. */
  #replace(fresh: MultiTree): void {
    this.#window.replace(fresh);
    this.#dueNodes = this.#nodeBudget;
    this.#generation++;
  }

  async #close(): Promise<void> {
    await this.#rewrite.stop();
    this.#window.close();
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
