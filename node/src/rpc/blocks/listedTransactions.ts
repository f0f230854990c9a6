import { type EvmTransaction, unwrapEvmTransaction } from '../../evm/index.ts';
import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';

/** The receipts of the block's EVM transactions, in the order of their `transactionIndex` (json-rpc.md §2.1). */
export function listedReceipts(record: BlockRecord): Receipt[] {
  return record.receipts.filter(({ type }) => type !== SYNTHETIC_TYPE);
}

/** The transaction that a receipt tells of; `undefined` for one that came in no EVM envelope. */
export function transactionOf(record: BlockRecord, receipt: Receipt): EvmTransaction | undefined {
  const raw = record.block.txs[receipt.ledgerIndex];
  return raw && unwrapEvmTransaction(raw);
}
