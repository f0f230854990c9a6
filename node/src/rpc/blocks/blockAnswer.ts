import type { BlockId } from '../codec/blockId.ts';
import { formatBlock, formatGenesisBlock } from '../format/block.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { findBlock } from './resolveBlock.ts';

/** The block object, or null when there is no such block. */
export function blockAnswer(deps: RpcDeps, id: BlockId, withTransactions: boolean): unknown {
  const found = findBlock(deps, id);
  if (found === 'genesis') return formatGenesisBlock(deps.genesisHash);
  return found ? deps.blockJson.block(found, withTransactions) : null;
}

/** The block object without what a header does not have, or null when there is no such block. */
export function headerAnswer(deps: RpcDeps, id: BlockId): Record<string, unknown> | null {
  const found = findBlock(deps, id);
  if (!found) return null;
  const block = found === 'genesis' ? formatGenesisBlock(deps.genesisHash) : formatBlock(found, false);
  const { size: _size, transactions: _transactions, uncles: _uncles, ...header } = block;
  return header;
}
