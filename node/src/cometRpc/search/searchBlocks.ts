import { heightRange, type Query } from '../../eventQuery/index.ts';
import { rpcFailure } from '../rpcFailure.ts';

const BLOCK_HEIGHT = 'block.height';
const BLOCKS_MAX = 1_000_000;

/**
 * Heights of the blocks that a query means, ascending. This chain's blocks have no events of their own: a condition
 * on one finds none.
 */
export function searchBlocks({ conditions }: Query, earliestHeight: number, latestHeight: number): number[] {
  if (conditions.some(({ tag }) => tag !== BLOCK_HEIGHT)) return [];
  const { first, last } = heightRange(conditions, latestHeight, BLOCK_HEIGHT);
  const from = Math.max(first, earliestHeight);
  const count = Math.max(0, last - from + 1);
  if (count > BLOCKS_MAX) {
    throw rpcFailure(`the query matches ${count} blocks, more than ${BLOCKS_MAX}; narrow it by block.height`);
  }
  return Array.from({ length: count }, (_, i) => from + i);
}
