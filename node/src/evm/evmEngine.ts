import type { EvmLog } from '../types/index.ts';
import type { EvmBlock } from './evmBlock.ts';
import type { EvmState } from './evmState.ts';
import type { EvmTracer } from './evmTracer.ts';
import type { PrecompileTable } from './precompile/precompile.ts';

/**
 * One top-level call or creation. The transaction's own rules (nonce, fees, intrinsic gas) are applied outside.
 * The caller's nonce in the state is already incremented: a creation gets the address of `nonce − 1`.
 */
export interface EvmMessage {
  /** 20 bytes. */
  readonly caller: Uint8Array;
  /** `null` creates a contract from `data`. */
  readonly to: Uint8Array | null;
  /** Wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** What is left for execution: the transaction's gas limit less its intrinsic gas. */
  readonly gasLimit: bigint;
  /** Wei; the effective gas price, as GASPRICE shows it. */
  readonly gasPrice: bigint;
  /** tx.origin; the caller when absent. */
  readonly origin?: Uint8Array;
  readonly isStatic?: boolean;
}

/** `gas`: what comes next burns so much before it asks again. */
export type Interrupt = (gas?: number) => void;

/** What a message runs against: the state, the block, this chain's precompiles, and whoever watches. */
export interface EvmHost {
  readonly state: EvmState;
  readonly block: EvmBlock;
  readonly precompiles: PrecompileTable;
  readonly tracer?: EvmTracer;
  /**
   * Called again and again while code runs, at least once in each loop, and before a precompile begins with the gas
   * that it is going to burn; what it throws ends the execution.
   */
  readonly interrupt?: Interrupt | undefined;
  /**
   * Told what code burned since it was told last, whenever a frame rests: it calls, or it is over. The reference
   * engine does not tell.
   */
  readonly onBurn?: ((gas: number) => void) | undefined;
}

/** The outcome of one message. On failure the state is as before the message, and there are no logs. */
export interface EvmExecutionResult {
  /** Why it failed, in geth's words: `execution reverted`, `out of gas`, …; `undefined` on success. */
  readonly error: string | undefined;
  /** What RETURN or REVERT gave; for a creation the deployed code, or REVERT's data. */
  readonly returnData: Uint8Array;
  /** Of `gasLimit`; refunds are not subtracted. */
  readonly gasUsed: bigint;
  /** The refund counter, uncapped (EIP-3529); 0 on failure. */
  readonly gasRefund: bigint;
  readonly logs: readonly EvmLog[];
  /** Address of a creation, also when it failed. */
  readonly createdAddress: Uint8Array | undefined;
}

/**
 * Runs EVM code. The state edge is synchronous (spec L-15). Executions may overlap in time: none shares
 * mutable state with another, as long as their hosts hold different states.
 */
export interface EvmEngine {
  readonly name: string;
  readonly version: string;
  /** Throws what `host.interrupt` throws; the host's state is then of no use any more. */
  execute(message: EvmMessage, host: EvmHost): Promise<EvmExecutionResult>;
}
