import type { Receipt, StoreChanges, TransactionResult } from '../types/index.ts';

/** All that follows from a block's transactions. */
export interface BlockOutcome {
  readonly stores: readonly StoreChanges[];
  /** One for each ledger transaction, in their order. */
  readonly results: readonly TransactionResult[];
  /** One for each EVM transaction that the block lists (json-rpc.md §2.1), in ledger order. */
  readonly receipts: readonly Receipt[];
  /** Wei. */
  readonly nextBaseFee: bigint;
  readonly gasUsed: bigint;
}
