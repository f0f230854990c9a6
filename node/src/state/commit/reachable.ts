import { CodedError } from '@chain/platform';
import type { Changelog } from '../changelog/index.ts';
import type { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';

/** The version behind `version` on a chain that begins at `initialVersion`. */
function nextOf(version: number, initialVersion: number): number {
  return version === 0 ? initialVersion : version + 1;
}

/** The lowest version that a snapshot and the changelog lead to; `undefined` when there is none. */
export function lowestReachable(
  directory: SnapshotDirectory,
  { firstVersion }: Pick<Changelog, 'firstVersion'>,
  initialVersion: number,
): number | undefined {
  if (firstVersion === 0) return directory.current();
  return directory.versions().find((version) => firstVersion <= nextOf(version, initialVersion));
}

/** The newest snapshot at or below `version`. Throws STATE_COMMIT_NO_SNAPSHOT. */
export function snapshotBelow(directory: SnapshotDirectory, version: number): number {
  const start = directory.versions().findLast((snapshot) => snapshot <= version);
  if (start !== undefined) return start;
  throw noSnapshot(directory.path, version);
}

export function noSnapshot(directory: string, version: number): CodedError {
  return new CodedError(
    'STATE_COMMIT_NO_SNAPSHOT',
    `no snapshot in ${directory} leads to version ${version}; choose a newer one, or state sync`,
    { fields: { directory, version } },
  );
}
