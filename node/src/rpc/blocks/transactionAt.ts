import type { EvmTransaction } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import type { BlockId } from '../codec/blockId.ts';
import { pendingTransactionAt } from '../format/pendingBlock.ts';
import { formatTransaction, type Mined } from '../format/transaction.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import { listedReceipts, transactionOf } from './listedTransactions.ts';
import { findRecord } from './resolveBlock.ts';

const MAX_INDEX = 0xffffffffn;

/** The transaction at an index of a block's list; null when block or index do not exist. */
export function transactionAt(deps: RpcDeps, id: BlockId, index: bigint): unknown {
  const pending = id === 'pending' ? deps.pending.current() : undefined;
  if (pending) return pending.then(({ record }) => pendingTransactionAt(record, Number(index)));
  const found = find(deps, id, index);
  return found ? formatTransaction(found.transaction, found.mined) : null;
}

/** The signed bytes of that transaction. */
export function rawTransactionAt(deps: RpcDeps, id: BlockId, index: bigint): string | null {
  const found = find(deps, id, index);
  return found ? toHexData(found.transaction.raw) : null;
}

function find(
  deps: RpcDeps,
  id: BlockId,
  index: bigint,
): { readonly transaction: EvmTransaction; readonly mined: Mined } | undefined {
  if (index > MAX_INDEX) throw serverError('invalid tx index');
  const record = findRecord(deps, id);
  const receipt = record && listedReceipts(record)[Number(index)];
  const transaction = receipt && transactionOf(record, receipt);
  return transaction && { transaction, mined: { record, receipt } };
}
