import { type EvmTransaction, unwrapEvmTransaction } from '../../evm/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';

/** The receipt type of a synthetic transaction (json-rpc.md §3.5): no `eth_` method lists one. */
export const SYNTHETIC_TYPE = 0xffffffff;

/** The receipts of the block's EVM transactions, in the order of their `transactionIndex` (json-rpc.md §2.1). */
export function listedReceipts(record: BlockRecord): Receipt[] {
  return record.receipts.filter(({ type }) => type !== SYNTHETIC_TYPE);
}

/** The transaction that a receipt tells of; `undefined` for one that came in no EVM envelope. */
export function transactionOf(record: BlockRecord, receipt: Receipt): EvmTransaction | undefined {
  const raw = record.block.txs[receipt.ledgerIndex];
  return raw && unwrapEvmTransaction(raw);
}
