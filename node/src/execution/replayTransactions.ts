import type { EvmTracer } from '../evm/index.ts';
import type { StateReads } from '../state/view/index.ts';
import type { BlockOutcome } from './blockOutcome.ts';
import { BlockRun, type TransactionsInput } from './blockRun.ts';
import type { ExecutionParts } from './executionParts.ts';

/** Transactions to run without ending their block. */
export interface ReplayInput extends TransactionsInput {
  /** Who watches the EVM transaction at a ledger index. */
  readonly tracerFor?: ((ledgerIndex: number) => EvmTracer | undefined) | undefined;
}

/** What transactions did, without what the end of their block would do. */
export type ReplayOutcome = Omit<BlockOutcome, 'events' | 'validatorUpdates'>;

/**
 * Runs the first transactions of a block, or some that no block has yet, for who watches them or wants the state
 * after them. The block's end is left out, and its state is nobody's next state.
 */
export async function replayTransactions(
  { tracerFor, ...input }: ReplayInput,
  parent: StateReads,
  parts: ExecutionParts,
): Promise<ReplayOutcome> {
  const run = new BlockRun(input, parent, parts);
  await run.runTransactions(tracerFor);
  return run.settle();
}
