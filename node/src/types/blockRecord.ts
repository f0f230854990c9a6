import type { Block } from './block.ts';
import type { Receipt } from './receipt.ts';
import type { LedgerEvent, TransactionResult } from './transactionResult.ts';
import type { Misbehavior, ValidatorPower } from './validators.ts';

/** All that history keeps of a block. `results[i]` belongs to `block.txs[i]`. */
export interface BlockRecord {
  readonly block: Block;
  readonly results: readonly TransactionResult[];
  /** One for each EVM transaction that has a receipt, in ledger order. */
  readonly receipts: readonly Receipt[];
  /** Wei: the base fee of this block, and the one that the next block will have. */
  readonly baseFee: bigint;
  readonly nextBaseFee: bigint;
  readonly gasLimit: bigint;
  /** Of the block itself; an attribute `mode` says whether before (BeginBlock) or after (EndBlock) its transactions. */
  readonly events: readonly LedgerEvent[];
  /** The set that signs this block; empty in records of older releases. */
  readonly validators: readonly ValidatorPower[];
  /** Changes of the set that this block brings about; they sign from the second block after it on. */
  readonly validatorUpdates: readonly ValidatorPower[];
  /** What was punished before its transactions; missing when there was nothing, and in records of older releases. */
  readonly misbehavior?: readonly Misbehavior[];
}
