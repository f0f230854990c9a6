import type { Lifecycle, Logger } from '@chain/platform';
import { type History, openHistory } from '../../history/index.ts';
import { type Changelog, openChangelog } from '../../state/changelog/index.ts';
import { type CommitRewind, openCommitRewind } from '../../state/commit/index.ts';
import { refuseInterruptedRestore } from '../../state/snapshot/index.ts';
import { openStateStore, type StateStore } from '../../state/store/index.ts';
import { stateDirectories } from '../stateDirectories.ts';
import {
  historyOptions,
  type StateSettings,
  stateCommitOptions,
  stateStoreOptions,
} from '../stateOptions.ts';

/** What a rollback moves, each brought to the changelog's end first; SC stays closed. */
export interface RollbackParts {
  readonly changelog: Changelog;
  readonly commit: CommitRewind;
  readonly stateStore: StateStore;
  readonly history: History;
}

/** Throws DIRECTORY_LOCKED while a node runs, and what each part throws when it is opened. */
export async function openRollbackParts(
  settings: StateSettings,
  { lifecycle, logger }: { readonly lifecycle: Lifecycle; readonly logger: Logger },
): Promise<RollbackParts> {
  const { home, config, initialHeight } = settings;
  refuseInterruptedRestore(home);
  const changelog = lifecycle.own(
    await openChangelog({ directory: stateDirectories(home, config).changelog }, { logger }),
  );
  const { directory } = stateCommitOptions(settings);
  const commit = lifecycle.own(openCommitRewind({ directory, initialVersion: initialHeight }, { changelog }));
  const stateStore = lifecycle.own(
    await openStateStore(
      {
        ...stateStoreOptions(settings),
        // No prune may raise the floor past the target meanwhile.
        pruneIntervalSeconds: 0,
        committedVersion: Math.max(changelog.lastVersion, commit.snapshotVersion),
      },
      { changelog, logger },
    ),
  );
  const history = lifecycle.own(
    await openHistory({ ...historyOptions(settings), retainBlocks: 0 }, { changelog, logger }),
  );
  return { changelog, commit, stateStore, history };
}
