import type {
  LedgerEvent,
  Receipt,
  StoreChanges,
  TransactionResult,
  ValidatorPower,
} from '../types/index.ts';

/** All that follows from a block's transactions. */
export interface BlockOutcome {
  readonly stores: readonly StoreChanges[];
  /** One for each ledger transaction, in their order. */
  readonly results: readonly TransactionResult[];
  /** Of EVM transactions that the block lists (spec R-7) and synthetic ones, in ledger order. */
  readonly receipts: readonly Receipt[];
  /** Wei. */
  readonly nextBaseFee: bigint;
  readonly gasUsed: bigint;
  /** Of the block itself, before and after its transactions; an attribute `mode` says which. */
  readonly events: readonly LedgerEvent[];
  /** Changes of the validator set, which signs from the second block after this one on. */
  readonly validatorUpdates: readonly ValidatorPower[];
}
