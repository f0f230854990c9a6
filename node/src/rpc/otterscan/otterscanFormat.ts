import { toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';
import { listedReceipts, transactionOf } from '../blocks/listedTransactions.ts';
import type { FoundBlock } from '../blocks/resolveBlock.ts';
import { formatBlock, formatGenesisBlock } from '../format/block.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';

/** `0x`, and the selector of a call. */
const SELECTOR_CHARACTERS = 10;

/** Blocks pay nothing here: what a validator earns are fees and what the ledger gives. */
const ISSUANCE = { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' };

/** A block without its transactions and bloom, what it issued, and the fees that were paid in it. */
export function blockDetails(found: FoundBlock, genesisHash: Uint8Array) {
  if (!found) return null;
  const block = found === 'genesis' ? formatGenesisBlock(genesisHash) : formatBlock(found, false);
  const receipts = found === 'genesis' ? [] : listedReceipts(found);
  const fees = receipts.reduce(
    (sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice,
    0n,
  );
  const { transactions, ...shown } = block;
  return {
    block: { ...shown, logsBloom: null, transactionCount: receipts.length },
    issuance: ISSUANCE,
    totalFees: toHexQuantity(fees),
  };
}

/** A block with some of its transactions, and their receipts without logs. */
export function blockPage(
  record: BlockRecord,
  { start, end }: { readonly start: number; readonly end: number },
) {
  const receipts = listedReceipts(record);
  const page = receipts.slice(start, end);
  return {
    fullblock: {
      ...formatBlock(record, false),
      logsBloom: null,
      transactionCount: receipts.length,
      transactions: page.map((receipt) => shortTransaction(record, receipt)),
    },
    receipts: page.map((receipt) => bareReceipt(record, receipt)),
  };
}

/** A transaction with the selector of its input only. */
export function shortTransaction(record: BlockRecord, receipt: Receipt) {
  const transaction = formatTransaction(transactionOf(record, receipt)!, { record, receipt });
  return { ...transaction, input: String(transaction.input).slice(0, SELECTOR_CHARACTERS) };
}

/** A receipt whose logs are left out. */
export function bareReceipt(record: BlockRecord, receipt: Receipt) {
  return { ...formatReceipt(record, receipt), logs: null, logsBloom: null };
}
