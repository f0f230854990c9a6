import { unwrapEvmTransaction } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { formatBlock } from './block.ts';
import { formatPendingTransaction } from './transaction.ts';

/** The block to come: it has neither hash nor nonce, and the places of its transactions are null. */
export function formatPendingBlock(record: BlockRecord, withTransactions: boolean): Record<string, unknown> {
  const block = formatBlock(record, false);
  const transactions = listedReceipts(record).map((receipt, index) =>
    withTransactions ? pendingTransactionAt(record, index) : toHexData(receipt.transactionHash),
  );
  return {
    ...block,
    hash: null,
    nonce: null,
    transactions,
  };
}

/** A transaction of the block to come; null past its end. */
export function pendingTransactionAt(record: BlockRecord, index: number): Record<string, unknown> | null {
  const receipt = listedReceipts(record)[index];
  const raw = receipt && record.block.txs[receipt.ledgerIndex];
  const transaction = raw && unwrapEvmTransaction(raw);
  return transaction ? formatPendingTransaction(transaction, receipt.from) : null;
}
