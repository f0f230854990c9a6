/**
 * Snapshots in the state-sync format: made from SC, kept on a shelf, carried in one file, restored into a home.
 * Owns: the stream and its chunks, data/snapshots, the threads that write and restore, the journal of a restore.
 * Does not own: trees and rows, which SC and SS write themselves; history; who offers a snapshot to whom.
 * Invariants: a snapshot is whole or not there; no block waits for one; memory does not grow with the state; a
 * restore counts only when SC and both SS stores hold all of it and the trees have the expected app hash.
 */
export { openArchive, type SnapshotArchive } from './archive/readArchive.ts';
export { writeArchive } from './archive/writeArchive.ts';
export { createSnapshot } from './create/createSnapshot.ts';
export { SnapshotSchedule } from './create/snapshotSchedule.ts';
export { decodeChunkHashes, encodeChunkHashes, type SnapshotDescription } from './description.ts';
export type { RestoreOptions } from './restore/openImport.ts';
export { isSnapshotAtFault, Restore } from './restore/restore.ts';
export { disownRestore, isRestoring, refuseInterruptedRestore } from './restore/restoreJournal.ts';
export {
  holdsChain,
  type RestoreTarget,
  refuseOccupied,
  restoredDirectories,
} from './restore/restoreTarget.ts';
export type { RestorePoint } from './restorePoint.ts';
export { type ShelvedSnapshot, SnapshotShelf } from './shelf/snapshotShelf.ts';
