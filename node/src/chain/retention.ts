import type { ChainParts } from './chainParts.ts';

const CHECK_EVERY_BLOCKS = 100;
const DEFAULT_KEEP_RECENT = 10_000;

/**
 * Now and then drops changelog entries that no store needs to recover: those below SC's oldest snapshot and what
 * both SS stores, history and FlatKV have synced. A failure costs disk space only, so it is logged and tried again.
 */
export function shrinkChangelog(height: number, parts: ChainParts, keepRecent = DEFAULT_KEEP_RECENT): void {
  if (height % CHECK_EVERY_BLOCKS !== 0) return;
  const { changelog, stateCommit, stateStore, history, flatKv, logger } = parts;
  const floor = Math.min(
    // The oldest, not the newest: a rollback begins at a snapshot and replays from there.
    stateCommit.earliestSnapshotVersion,
    stateStore.durableVersion,
    history.durableHeight,
    // One that has failed is not waited for: it would keep the log growing, and can be rebuilt from SC.
    flatKv && !flatKv.failure ? flatKv.durableVersion : height,
    height - keepRecent,
  );
  if (floor <= changelog.firstVersion) return;
  changelog.truncateBefore(floor).catch((error: unknown) => {
    logger.warn('the changelog could not be shortened', { version: floor, error });
  });
}
