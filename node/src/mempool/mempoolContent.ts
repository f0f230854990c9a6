import type { CheckedEnvelope } from '../execution/index.ts';
import type { Entry, EntryQueue } from './entry.ts';

/** One EVM sender's transactions, nonces ascending; `queued` wait for a lower nonce, or for room. */
export interface AccountContent {
  readonly sender: Uint8Array;
  readonly pending: readonly CheckedEnvelope[];
  readonly queued: readonly CheckedEnvelope[];
}

/** Transactions by where they stand. */
export interface MempoolCounts {
  readonly pending: number;
  readonly queued: number;
}

/** Of a queue of the EVM, whose entries are all its transactions. */
export function contentOf({ sender, pending, queued }: EntryQueue): AccountContent {
  const transactions = (entries: readonly Entry[]) =>
    entries.map(({ checked }) => checked as CheckedEnvelope);
  return { sender, pending: transactions(pending), queued: transactions(queued) };
}
