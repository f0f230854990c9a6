import { toHexQuantity } from '../../primitives/index.ts';
import { isPendingBlock, type ListedBlock } from './blockResolvers.ts';
import { listedReceipts } from './listedTransactions.ts';
import type { FoundBlock } from './resolveBlock.ts';

/** How many EVM transactions a block lists; null when there is no such block. */
export function transactionCount(block: ListedBlock): string | null {
  if (block === 'genesis') return '0x0';
  if (!block) return null;
  return toHexQuantity(listedReceipts(isPendingBlock(block) ? block.record : block).length);
}

/** Finality is instant: a block that exists has no uncles. */
export function uncleCount(block: FoundBlock): string | null {
  return block ? '0x0' : null;
}
