import type { EvmTransaction } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { pendingTransactionAt } from '../format/pendingBlock.ts';
import { formatTransaction, type Mined } from '../format/transaction.ts';
import { serverError } from '../rpcError.ts';
import { isPendingBlock, type ListedBlock } from './blockResolvers.ts';
import { listedReceipts, transactionOf } from './listedTransactions.ts';
import type { FoundBlock } from './resolveBlock.ts';

const MAX_INDEX = 0xffffffffn;

/** The transaction at an index of a block's list; null when block or index do not exist. */
export function transactionAt(block: ListedBlock, index: bigint): unknown {
  if (block && block !== 'genesis' && isPendingBlock(block)) {
    return pendingTransactionAt(block.record, Number(index));
  }
  const found = find(block, index);
  return found ? formatTransaction(found.transaction, found.mined) : null;
}

/** The signed bytes of that transaction. */
export function rawTransactionAt(block: FoundBlock, index: bigint): string | null {
  const found = find(block, index);
  return found ? toHexData(found.transaction.raw) : null;
}

function find(
  block: FoundBlock,
  index: bigint,
): { readonly transaction: EvmTransaction; readonly mined: Mined } | undefined {
  if (index > MAX_INDEX) throw serverError('invalid tx index');
  const record = block === 'genesis' ? undefined : block;
  const receipt = record && listedReceipts(record)[Number(index)];
  const transaction = receipt && transactionOf(record, receipt);
  return transaction && { transaction, mined: { record, receipt } };
}
