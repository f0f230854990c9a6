import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { BlockChanges } from '../../types/index.ts';
import type { Changelog } from '../changelog/index.ts';
import type { FrozenRows, PointReads, RangeReads } from '../view/index.ts';
import type { FrozenState } from './export/frozenState.ts';
import type { Proven } from './proof/provableState.ts';
import type { HashDifference } from './verifyHashes.ts';

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
  /**
   * Nodes written since the last snapshot from which on one is due whatever the interval and the time, so that they
   * do not outgrow the memory; by default a sixteenth of it, 4,194,304 at least.
   */
  readonly snapshotNodes?: number;
  /** 0 (the default) is no limit. */
  readonly snapshotBytesPerSecond?: number;
  /** Memory for pages of the snapshot's files; by default an eighth of what there is, 512 MiB at least. */
  readonly cacheBytes?: number;
  /** Newest versions that proofs can be made of; 1 (the default) is the present one alone. */
  readonly provableVersions?: number;
}

export interface StateCommitDeps {
  readonly changelog: Changelog;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  readonly clock?: Clock;
}

/** A state that may take the place of the present one. */
export interface OlderState {
  readonly appHash: Uint8Array;
  /** Makes it the present one, also on disk; the caller cuts the changelog. Can be done again after a crash. */
  take(): Promise<void>;
  /** Lets go of it. */
  drop(): void;
}

/** The newest state and its hashes. Values handed out are copies. */
export interface StateCommit extends PointReads, RangeReads {
  readonly version: number;
  /** 32 bytes; what the header of the next block carries. */
  readonly appHash: Uint8Array;
  storeHashes(): ReadonlyMap<string, Uint8Array>;
  /** The first version that proofs can be made of; so they can of every later one. */
  readonly earliestProvableVersion: number;
  /**
   * A key's value after block `version`, or its absence, with the proof against that version's app hash. Throws
   * STATE_COMMIT_VERSION_NOT_HELD, STATE_COMMIT_UNKNOWN_STORE.
   */
  queryWithProof(store: string, key: Uint8Array, version: number): Proven;
  /**
   * Moves to `changes.version` in memory and returns the new app hash; the caller logs the changes. Throws
   * STATE_COMMIT_WRONG_VERSION or STATE_COMMIT_UNKNOWN_STORE before anything has changed.
   */
  apply(changes: BlockChanges): Uint8Array;
  /** Called after each block is durable: starts a background snapshot when one is due. */
  maybeSnapshot(): void;
  /** Whether a snapshot is being written, or the trees have still to move onto it. */
  readonly isSnapshotting: boolean;
  /** Whether the nodes in memory ask for a snapshot: one begins at the next version that the log ends with. */
  readonly isSnapshotDue: boolean;
  /** The newest complete snapshot on disk. */
  readonly snapshotVersion: number;
  /** The oldest snapshot on disk; the changelog above it must be kept to be able to go back there. */
  readonly earliestSnapshotVersion: number;
  /** Snapshots the present version and resolves when the trees stand on it. Throws STATE_COMMIT_NOT_DURABLE. */
  snapshotNow(): Promise<void>;
  /** The lowest version that `prepareRewind` reaches. */
  readonly lowestReachable: number | undefined;
  /**
   * Makes the state of an older version beside the present one, by a snapshot and the changelog; nothing changes
   * until `take`. No block may be applied meanwhile. Throws STATE_COMMIT_NO_SNAPSHOT.
   */
  prepareRewind(version: number): Promise<OlderState>;
  /** The present version as another thread can read it; `release` once nobody does any more. Costs no copy. */
  freeze(): { readonly frozen: FrozenState; release(): void };
  /** The rows of the present version, for this thread. Costs no copy. */
  freezeRows(): FrozenRows;
  /** Leaves of all stores. */
  readonly leafCount: number;
  /** Recomputes every hash from the leaves up; `onLeaf` is called for each. Gives the first that is wrong. */
  verifyHashes(onLeaf: () => void): HashDifference | undefined;
  close(): Promise<void>;
}
