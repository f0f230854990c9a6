import { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';

/** The snapshots of a state-commit directory that nobody changes meanwhile. Throws STATE_COMMIT_… : FOREIGN, SNAPSHOT_DAMAGED. */
export function snapshotVersions(directory: string): {
  readonly current: number | undefined;
  readonly all: readonly number[];
} {
  const snapshots = new SnapshotDirectory(directory);
  return { current: snapshots.current(), all: snapshots.versions() };
}
