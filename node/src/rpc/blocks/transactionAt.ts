import type { BlockId } from '../codec/blockId.ts';
import { formatTransaction } from '../format/transaction.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import { listedReceipts, transactionOf } from './listedTransactions.ts';
import { findRecord } from './resolveBlock.ts';

const MAX_INDEX = 0xffffffffn;

/** The transaction at an index of a block's list; null when block or index do not exist. */
export function transactionAt(deps: RpcDeps, id: BlockId, index: bigint): unknown {
  if (index > MAX_INDEX) throw serverError('invalid tx index');
  const record = findRecord(deps, id);
  const receipt = record && listedReceipts(record)[Number(index)];
  const transaction = receipt && transactionOf(record, receipt);
  return transaction ? formatTransaction(transaction, { record, receipt }) : null;
}
