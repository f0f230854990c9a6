import type { ChainParts } from './chainParts.ts';

const CHECK_EVERY_BLOCKS = 100;
const DEFAULT_KEEP_RECENT = 10_000;

/**
 * Now and then drops changelog entries that no store needs to recover: those below what SC has in a snapshot and
 * both SS stores and history have synced. A failure costs disk space only, so it is logged and tried again.
 */
export function shrinkChangelog(height: number, parts: ChainParts, keepRecent = DEFAULT_KEEP_RECENT): void {
  if (height % CHECK_EVERY_BLOCKS !== 0) return;
  const { changelog, stateCommit, stateStore, history, logger } = parts;
  const floor = Math.min(
    stateCommit.snapshotVersion,
    stateStore.durableVersion,
    history.durableHeight,
    height - keepRecent,
  );
  if (floor <= changelog.firstVersion) return;
  changelog.truncateBefore(floor).catch((error: unknown) => {
    logger.warn('the changelog could not be shortened', { version: floor, error });
  });
}
