import { toHexQuantity } from '../../primitives/index.ts';
import type { BlockId } from '../codec/blockId.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { listedReceipts } from './listedTransactions.ts';
import { findBlock } from './resolveBlock.ts';

/** How many EVM transactions a block lists; null when there is no such block. */
export function transactionCount(deps: RpcDeps, id: BlockId): unknown {
  const pending = id === 'pending' ? deps.pending.current() : undefined;
  if (pending) return pending.then(({ record }) => toHexQuantity(listedReceipts(record).length));
  const found = findBlock(deps, id);
  if (found === 'genesis') return '0x0';
  return found ? toHexQuantity(listedReceipts(found).length) : null;
}

/** Finality is instant: a block that exists has no uncles. */
export function uncleCount(deps: RpcDeps, id: BlockId): string | null {
  return findBlock(deps, id) ? '0x0' : null;
}
