/**
 * State commitment (SC): the newest state in Merkle trees, author of the app hash.
 * Owns: the trees, their hashes, their snapshots on disk. Does not own: the changelog it replays, history.
 * Invariants: hashes follow memiavl to the bit; snapshot plus changelog give the newest state after any crash;
 * writing a snapshot never makes a block wait.
 */

export { type CommitRewind, openCommitRewind } from './commitRewind.ts';
export { exportState, type StateSink } from './export/exportState.ts';
export type { FrozenState } from './export/frozenState.ts';
export { type LeafPlace, leafKeyOf, leafOf, leafValueOf } from './export/leafPlace.ts';
export {
  CommitImporter,
  type CommitImportOptions,
  type CommitPosition,
  publishImport,
} from './import/commitImporter.ts';
export { openStateCommit } from './openStateCommit.ts';
export type { ProofOp, Proven } from './proof/provableState.ts';
export { snapshotVersions } from './snapshotVersions.ts';
export type { OlderState, StateCommit, StateCommitDeps, StateCommitOptions } from './stateCommit.ts';
export type { HashDifference } from './verifyHashes.ts';
