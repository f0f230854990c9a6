import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Execution, GenesisState } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import type { Changelog } from '../state/changelog/index.ts';
import type { StateCommit } from '../state/commit/index.ts';
import type { FlatKv } from '../state/flatKv/index.ts';
import type { StateStore } from '../state/store/index.ts';
import type { ValidatorPower } from '../types/index.ts';

/** What the genesis document says to this room. `gasLimit` is the consensus parameter `block.max_gas`. */
export interface ChainGenesis {
  readonly initialHeight: number;
  readonly gasLimit: bigint;
  readonly state: GenesisState;
  /** The document's validators: who signs on a chain without staking. */
  readonly validators?: readonly ValidatorPower[];
}

export interface ChainOptions {
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly genesis: ChainGenesis;
  /** Blocks that the changelog keeps although every store has them on disk; 10,000 by default. */
  readonly changelogKeepRecent?: number;
  /** The last block that this release runs; 0 and none are no end. */
  readonly haltHeight?: number;
  /** At heights that one of these divides, nothing may be run ahead: a snapshot is taken of them. 0 is none. */
  readonly snapshotIntervals?: readonly number[];
}

/** Opened, recovered, and closed by whoever opened them. */
export interface ChainParts {
  readonly execution: Execution;
  readonly changelog: Changelog;
  readonly stateCommit: StateCommit;
  readonly stateStore: StateStore;
  /** SC's shadow, when it is switched on; no block depends on it. */
  readonly flatKv?: FlatKv;
  readonly history: History;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/** To begin a snapshot, and while it moves onto one, SC needs moments in which the log has all that it has. */
const REST_EVERY_BLOCKS = 32;

/** Whether block `height` must be announced before the next one runs. */
export function isCommitBarrier(
  height: number,
  { haltHeight = 0, snapshotIntervals = [] }: ChainOptions,
  { stateCommit }: Pick<ChainParts, 'stateCommit'>,
): boolean {
  if (
    height === haltHeight ||
    snapshotIntervals.some((interval) => interval > 0 && height % interval === 0)
  ) {
    return true;
  }
  return (stateCommit.isSnapshotting || stateCommit.isSnapshotDue) && height % REST_EVERY_BLOCKS === 0;
}

/** A part that has no block yet may stand at 0 or right below the first height; both are 0 here. */
export function heightOf(version: number, { initialHeight }: ChainGenesis): number {
  return version < initialHeight ? 0 : version;
}
