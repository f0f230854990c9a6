import type { CheckedEnvelope } from '../execution/index.ts';

/** One EVM sender's transactions, nonces ascending; `queued` wait for a lower nonce. */
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
