import type { StateSyncProgress } from '@chain/platform/contract';

/** For people; programs read the progress itself. */
export function describeStateSync(progress: StateSyncProgress): string {
  if (progress.stage === 'restoring') return `chunk ${progress.chunks} of ${progress.chunksTotal}`;
  const { refused } = progress;
  return refused === undefined
    ? 'looking for a snapshot'
    : `looking for a snapshot; that of height ${refused.height} was refused: ${refused.reason}`;
}
