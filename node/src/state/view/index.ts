/**
 * How state is read and overlaid: capabilities by the smallest need, and the copy-on-write overlay.
 * Owns: the read interfaces, the overlay. Does not own: any storage.
 * Invariant: the EVM store can only be typed as VersionedPointReads; there is no iterator to call.
 */

export { changedPoints } from './changedPoints.ts';
export { Overlay } from './overlay.ts';
export type {
  FrozenRows,
  KeyRange,
  KeyValue,
  PointReads,
  RangeReads,
  StateReads,
  VersionedPointReads,
  VersionedRangeReads,
} from './reads.ts';
export { EMPTY_STATE } from './reads.ts';
export { withChanges } from './withChanges.ts';
