/** What CometBFT must keep blocks for. In blocks; 0 says nothing. */
export interface RetentionWish {
  /** `min-retain-blocks`. */
  readonly minRetainBlocks: number;
  /** Blocks in which evidence counts (consensus parameters). */
  readonly evidenceBlocks: number;
  /** Blocks from the oldest snapshot that is served, which a restored node goes on from. */
  readonly snapshotBlocks: number;
}

/**
 * Commit's `retain_height`: blocks below it may go; 0 keeps all. With `min-retain-blocks = 0` nothing goes;
 * otherwise the strictest wish counts, as in the Cosmos SDK.
 */
export function retainHeight(height: number, wish: RetentionWish): number {
  if (wish.minRetainBlocks === 0) return 0;
  const blocks = Math.max(wish.minRetainBlocks, wish.evidenceBlocks, wish.snapshotBlocks);
  return Math.max(0, height - blocks);
}
