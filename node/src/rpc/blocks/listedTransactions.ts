import { type EvmTransaction, unwrapEvmTransaction } from '../../evm/index.ts';
import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';

/** The receipts of the block's EVM transactions, in the order of their `transactionIndex` (json-rpc.md §2.1). */
export function listedReceipts(record: BlockRecord): Receipt[] {
  return record.receipts.filter(({ type }) => type !== SYNTHETIC_TYPE);
}

/** The transaction that a receipt tells of; `undefined` for one that came in no EVM envelope. */
export function transactionOf(record: BlockRecord, receipt: Receipt): EvmTransaction | undefined {
  const raw = record.block.txs[receipt.ledgerIndex];
  return raw && unwrapEvmTransaction(raw);
}

/** The signed bytes of a mined or waiting transaction; `undefined` when unknown. */
export function rawTransaction(
  { history, mempool }: Pick<RpcDeps, 'history' | 'mempool'>,
  hash: Uint8Array,
): Uint8Array | undefined {
  const found = history.transactionByHash(hash);
  const mined = found && transactionOf(found.record, found.receipt);
  return (mined ?? mempool.get(hash)?.evm.transaction)?.raw;
}
