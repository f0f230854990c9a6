import type { BlockId } from '../codec/blockId.ts';
import { formatGenesisBlock, formatHeader } from '../format/block.ts';
import { formatPendingBlock } from '../format/pendingBlock.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { findBlock } from './resolveBlock.ts';

/** The block object, or null when there is no such block; at `pending` the block to come, when anything waits. */
export function blockAnswer(deps: RpcDeps, id: BlockId, withTransactions: boolean): unknown {
  const pending = id === 'pending' ? deps.pending.current() : undefined;
  if (pending) return pending.then(({ record }) => formatPendingBlock(record, withTransactions));
  const found = findBlock(deps, id);
  if (found === 'genesis') return formatGenesisBlock(deps.genesisHash);
  return found ? deps.blockJson.block(found, withTransactions) : null;
}

/** The block object without what a header does not have, or null when there is no such block. */
export function headerAnswer(deps: RpcDeps, id: BlockId): Record<string, unknown> | null {
  const found = findBlock(deps, id);
  if (!found) return null;
  if (found !== 'genesis') return formatHeader(found);
  const { size, transactions, uncles, ...header } = formatGenesisBlock(deps.genesisHash);
  return header;
}
