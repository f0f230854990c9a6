/** Sizes in bytes, times in milliseconds. */
export interface MempoolLimits {
  readonly maxTransactions: number;
  readonly maxBytes: number;
  readonly maxTransactionBytes: number;
  readonly maxAccountTransactions: number;
  /** An executable transaction is dropped after this time, and after this many blocks; 0 = never. */
  readonly ttlMs: number;
  readonly ttlBlocks: number;
  /** The same for a transaction that waits for a lower nonce. */
  readonly gapTtlMs: number;
}

/**
 * Counts and sizes as json-rpc.md §2.10.7. Its lifetimes (5 s, 10 blocks) drop transactions that merely wait
 * out a burst or a fee spike, with no notice to the sender, so ours are longer; all are options.
 */
export const DEFAULT_LIMITS: MempoolLimits = {
  maxTransactions: 5000,
  maxBytes: 1 << 30,
  maxTransactionBytes: 1 << 20,
  maxAccountTransactions: 2048,
  ttlMs: 600_000,
  ttlBlocks: 0,
  gapTtlMs: 120_000,
};
