import { encodeRlp, type RlpItem } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { headerAnswer } from '../blocks/blockAnswer.ts';
import { listedReceipts, transactionOf } from '../blocks/listedTransactions.ts';
import { type FoundBlock, findBlock } from '../blocks/resolveBlock.ts';
import type { BlockId } from '../codec/blockId.ts';
import { headerRlp, transactionRlp } from '../format/blockRlp.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';

/** The block, which must be there. Throws −32000. */
export function mustFindBlock(deps: RpcDeps, id: BlockId): NonNullable<FoundBlock> {
  const found = findBlock(deps, id);
  if (!found) throw serverError('block not found');
  return found;
}

/**
 * The header object in RLP, in Ethereum's order. The block's hash is consensus' own (SHA-256), so that the keccak of
 * these bytes is not the hash of the block.
 */
export function rawHeader(deps: RpcDeps, id: BlockId): RlpItem {
  mustFindBlock(deps, id);
  return headerRlp(headerAnswer(deps, id)!);
}

/** Header, transactions, no uncles. A typed transaction is a string, as EIP-2718 has it. */
export function rawBlock(deps: RpcDeps, id: BlockId): Uint8Array {
  const found = mustFindBlock(deps, id);
  const transactions = found === 'genesis' ? [] : rawTransactions(found);
  return encodeRlp([rawHeader(deps, id), transactions, []]);
}

function rawTransactions(record: BlockRecord): RlpItem[] {
  return listedReceipts(record).flatMap((receipt) => {
    const transaction = transactionOf(record, receipt);
    return transaction ? [transactionRlp(transaction)] : [];
  });
}
