import type { EvmBlock, EvmTransaction } from '../../evm/index.ts';
import type { StateReads } from '../../state/view/index.ts';
import type { CallOutcome } from './callOutcome.ts';

/** A call that ran as a transaction of a simulated block. */
export interface SimulatedCall {
  readonly from: Uint8Array;
  /** Without a signature. */
  readonly transaction: EvmTransaction;
  /** Wei. */
  readonly effectiveGasPrice: bigint;
  /** `gasBeforeRefund` is what had to be there while it ran. */
  readonly outcome: CallOutcome & { readonly gasBeforeRefund: bigint };
}

/** A block of eth_simulateV1. */
export interface SimulatedBlock {
  readonly block: EvmBlock;
  readonly calls: readonly SimulatedCall[];
  readonly gasUsed: bigint;
  /** After the block; the next one builds on it. */
  readonly state: StateReads;
}
