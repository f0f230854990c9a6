import { type EvmTransaction, unwrapEvmTransaction } from '../../evm/index.ts';
import type { FoundTransaction } from '../../history/index.ts';
import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';

/** The receipts of the block's EVM transactions, in the order of their `transactionIndex` (spec R-7). */
export function listedReceipts({ receipts }: BlockRecord): readonly Receipt[] {
  if (!receipts.some(isSynthetic)) return receipts;
  // Stored indexes count synthetic receipts too.
  let firstLogIndex = 0;
  const listed = receipts.filter((receipt) => !isSynthetic(receipt));
  return listed.map((receipt, transactionIndex) => {
    const numbered = { ...receipt, transactionIndex, firstLogIndex };
    firstLogIndex += receipt.logs.length;
    return numbered;
  });
}

/** A transaction's receipt with its indexes in the block's list; `undefined` for a synthetic one. */
export function listedReceipt(found: FoundTransaction): Receipt | undefined {
  const { record, receipt } = found;
  if (isSynthetic(receipt)) return undefined;
  if (!record.receipts.some(isSynthetic)) return receipt;
  const { ledgerIndex } = receipt;
  return listedReceipts(record).find((listed) => listed.ledgerIndex === ledgerIndex);
}

function isSynthetic({ type }: Receipt): boolean {
  return type === SYNTHETIC_TYPE;
}

/** The transaction that a receipt tells of; `undefined` for one that came in no EVM envelope. */
export function transactionOf(record: BlockRecord, receipt: Receipt): EvmTransaction | undefined {
  const raw = record.block.txs[receipt.ledgerIndex];
  return raw && unwrapEvmTransaction(raw);
}
