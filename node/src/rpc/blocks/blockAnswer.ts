import { formatGenesisBlock, formatHeader } from '../format/block.ts';
import { formatPendingBlock } from '../format/pendingBlock.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { isPendingBlock, type ListedBlock } from './blockResolvers.ts';
import type { FoundBlock } from './resolveBlock.ts';

/** The block object, or null when there is no such block; at `pending` the block to come, when anything waits. */
export function blockAnswer(
  { genesisHash, blockJson }: Pick<RpcDeps, 'genesisHash' | 'blockJson'>,
  block: ListedBlock,
  withTransactions: boolean,
): unknown {
  if (block === 'genesis') return formatGenesisBlock(genesisHash);
  if (!block) return null;
  if (isPendingBlock(block)) return formatPendingBlock(block.record, withTransactions);
  return blockJson.block(block, withTransactions);
}

/** The block object without what a header does not have, or null when there is no such block. */
export function headerAnswer(
  { genesisHash }: Pick<RpcDeps, 'genesisHash'>,
  block: FoundBlock,
): Record<string, unknown> | null {
  if (!block) return null;
  if (block !== 'genesis') return formatHeader(block);
  const { size, transactions, uncles, ...header } = formatGenesisBlock(genesisHash);
  return header;
}
