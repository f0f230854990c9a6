/** Sizes in bytes, times in milliseconds. */
export interface MempoolLimits {
  /** Executable transactions, all and of one account. */
  readonly maxTransactions: number;
  readonly maxBytes: number;
  readonly maxAccountTransactions: number;
  /** Executable transactions of an account that give way to dearer ones only; those above it to other accounts too. */
  readonly accountSlots: number;
  /** Transactions that wait for a lower nonce, all and of one account. */
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
  readonly maxAccountQueued: number;
  readonly maxTransactionBytes: number;
  /** Percent by which a replacement raises fee cap and tip. */
  readonly priceBump: number;
  /** An executable transaction is dropped after this time, and after this many blocks; 0 = never. */
  readonly ttlMs: number;
  readonly ttlBlocks: number;
  /** The same for a transaction that waits for a lower nonce. */
  readonly gapTtlMs: number;
}

/**
 * Counts and sizes of executable ones as spec R-19, slots of accounts as geth's. What has a gap has room for a
 * sender that hands in hundreds at once, which arrive in any order: it displaces only its like. The lifetimes of the
 * reference (5 s, 10 blocks) drop transactions that merely wait out a burst or a fee spike, with no notice to the
 * sender, so ours are longer.
 */
export const DEFAULT_LIMITS: MempoolLimits = {
  maxTransactions: 5000,
  maxBytes: 1 << 30,
  maxAccountTransactions: 2048,
  accountSlots: 16,
  maxQueued: 5000,
  maxQueuedBytes: 64 << 20,
  maxAccountQueued: 1024,
  maxTransactionBytes: 1 << 20,
  priceBump: 10,
  ttlMs: 600_000,
  ttlBlocks: 0,
  gapTtlMs: 600_000,
};
