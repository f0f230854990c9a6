import type { StoreChanges } from '../../types/index.ts';
import type { VersionedPointReads, VersionedRangeReads } from '../view/index.ts';
import type { VersionMarkers } from './versionMarkers.ts';

/** One side of the split as its writer sees it. Blocks are staged and written in order. */
export interface StateMember {
  /** As on disk; `undefined` while some database of it was never initialised. */
  readonly markers: VersionMarkers | undefined;
  initialise(): Promise<void>;
  stage(version: number, stores: readonly StoreChanges[]): void;
  /** Synced when it resolves. */
  writeStaged(version: number): Promise<void>;
  close(): Promise<void>;
}

export type BaseStore = StateMember & VersionedPointReads & VersionedRangeReads;
/** Point reads only (design.md §2): there is no iterator to call. */
export type EvmStore = StateMember & VersionedPointReads;
