import type { Block } from './block.ts';
import type { Receipt } from './receipt.ts';
import type { TransactionResult } from './transactionResult.ts';

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
}
