import { CodedError, silentLogger } from '@chain/platform';
import { openChangelog } from '../../state/changelog/index.ts';
import { openCommitRewind } from '../../state/commit/index.ts';

/**
 * Makes SC of a shadow end at `height`: newer snapshots are unlinked and the copied changelog is cut. Throws
 * APP_HEIGHT_OUT_OF_REACH when SC no longer reaches back that far.
 */
export async function rewindCommit(
  directories: { readonly commit: string; readonly changelog: string },
  { height, initialHeight }: { readonly height: number; readonly initialHeight: number },
): Promise<void> {
  const changelog = await openChangelog({ directory: directories.changelog }, { logger: silentLogger });
  try {
    const options = { directory: directories.commit, initialVersion: initialHeight };
    const commit = openCommitRewind(options, { changelog });
    try {
      const { lastVersion } = changelog;
      const lowest = commit.lowestVersion ?? lastVersion;
      if (height < lowest || height > lastVersion) {
        throw new CodedError(
          'APP_HEIGHT_OUT_OF_REACH',
          `SC reaches from version ${lowest} to ${lastVersion}; choose --height in that range`,
          { fields: { height, lowest, highest: lastVersion } },
        );
      }
      await changelog.rewind(height);
      await commit.rewind(height);
    } finally {
      commit.close();
    }
  } finally {
    await changelog.close();
  }
}
