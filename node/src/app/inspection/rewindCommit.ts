import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, silentLogger } from '@chain/platform';
import { openChangelog } from '../../state/changelog/index.ts';
import { snapshotVersions } from '../../state/commit/index.ts';

/**
 * Makes SC of a shadow end at `height`: newer snapshots are unlinked and the copied changelog is cut. Throws
 * APP_HEIGHT_OUT_OF_REACH when SC no longer reaches back that far.
 */
export async function rewindCommit(
  { commit, changelog: logDirectory }: { readonly commit: string; readonly changelog: string },
  height: number,
): Promise<void> {
  const { all } = snapshotVersions(commit);
  const base = all.findLast((version) => version <= height);
  const changelog = await openChangelog({ directory: logDirectory }, { logger: silentLogger });
  try {
    const { firstVersion, lastVersion } = changelog;
    if (base === undefined || height > lastVersion || (base < height && firstVersion > base + 1)) {
      const lowest = all.find((version) => version + 1 >= firstVersion) ?? lastVersion;
      throw new CodedError(
        'APP_HEIGHT_OUT_OF_REACH',
        `SC reaches from version ${lowest} to ${lastVersion}; choose --height in that range`,
        { fields: { height, lowest, highest: lastVersion } },
      );
    }
    await changelog.truncateAfter(height);
  } finally {
    await changelog.close();
  }
  for (const version of all.filter((each) => each > height)) await rm(join(commit, nameOf(version)));
  await rm(join(commit, 'current'), { force: true });
  await symlink(nameOf(base), join(commit, 'current'));
}

const nameOf = (version: number): string => `snapshot-${String(version).padStart(20, '0')}`;
