import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import type { BankTransfer, LedgerSource } from './ledgerSource.ts';

/** What a namespace lists of a block beside its EVM transactions. */
export interface BlockList {
  readonly synthetic: boolean;
  readonly transfers: boolean;
  /** Leaves out what failed before it ran. */
  readonly excludesFailed: boolean;
}

export const CHAIN_LIST: BlockList = { synthetic: true, transfers: false, excludesFailed: false };
export const CHAIN2_LIST: BlockList = { synthetic: true, transfers: true, excludesFailed: false };

/** The `…ExcludeTraceFail` form of a list: also without synthetic entries (spec G-6). */
export function withoutTraceFails(list: BlockList): BlockList {
  return { ...list, synthetic: false, excludesFailed: true };
}

/** An entry of a list; indexes count through the list. */
export type ListedEntry =
  | { readonly kind: 'transaction' | 'synthetic'; readonly receipt: Receipt }
  | { readonly kind: 'transfer'; readonly transfer: BankTransfer; readonly transactionIndex: number };

/** Failed before it ran, so that a trace of it would say nothing; synthetic ones have no trace at all. */
export function isTraceFail({ type, effectiveGasPrice, gasUsed }: Receipt): boolean {
  return type === SYNTHETIC_TYPE || (effectiveGasPrice === 0n && gasUsed === 0n);
}

/** The entries of a block in ledger order. A transfer that has a synthetic entry is listed as that (spec G-7). */
export function listEntries(record: BlockRecord, list: BlockList, source: LedgerSource): ListedEntry[] {
  const receipts = record.receipts.filter((receipt) => isListed(receipt, list));
  const isShown = ({ isSynthetic }: BankTransfer) => isSynthetic && list.synthetic;
  const transfers = list.transfers ? source.transfers(record).filter((one) => !isShown(one)) : [];
  const unnumbered = [
    ...receipts.map((receipt) => ({ ledgerIndex: receipt.ledgerIndex, receipt })),
    ...transfers.map((transfer) => ({ ledgerIndex: transfer.ledgerIndex, transfer })),
  ].sort((a, b) => a.ledgerIndex - b.ledgerIndex);
  let [firstLogIndex, cumulativeGasUsed] = [0, 0n];
  return unnumbered.map((entry, transactionIndex) => {
    if ('transfer' in entry) return { kind: 'transfer', transfer: entry.transfer, transactionIndex };
    cumulativeGasUsed += entry.receipt.gasUsed;
    const receipt = { ...entry.receipt, transactionIndex, firstLogIndex, cumulativeGasUsed };
    firstLogIndex += receipt.logs.length;
    return { kind: receipt.type === SYNTHETIC_TYPE ? 'synthetic' : 'transaction', receipt };
  });
}

function isListed(receipt: Receipt, { synthetic, excludesFailed }: BlockList): boolean {
  if (receipt.type === SYNTHETIC_TYPE) return synthetic;
  return !(excludesFailed && isTraceFail(receipt));
}
