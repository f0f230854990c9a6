import { CodedError } from '@chain/platform';
import type { Changelog } from '../changelog/index.ts';
import type { MultiTree } from './multiTree.ts';

/**
 * Applies every logged block above the state's version, up to `to`, and returns how many. Hashes are left for the end: they
 * depend only on the final nodes. Throws STATE_COMMIT_CHANGELOG_GAP when the log does not join the state.
 */
export function replayChangelog(state: MultiTree, changelog: Changelog, to?: number): number {
  checkJoins(state, changelog);
  const from = state.version;
  for (const { changes } of changelog.read(state.nextVersion, to)) state.apply(changes);
  return changelog.lastVersion === 0 ? 0 : state.version - from;
}

function checkJoins({ version, nextVersion }: MultiTree, changelog: Changelog): void {
  const { directory, firstVersion, lastVersion } = changelog;
  if (lastVersion === 0) return;
  const joins =
    version === 0 ? firstVersion === nextVersion : firstVersion <= nextVersion && lastVersion >= version;
  if (joins) return;
  throw new CodedError(
    'STATE_COMMIT_CHANGELOG_GAP',
    `the snapshot is at version ${version} but the changelog in ${directory} holds ${firstVersion} to ${lastVersion}; restore the data directory from a backup or state-sync`,
    { fields: { version, directory, firstVersion, lastVersion } },
  );
}
