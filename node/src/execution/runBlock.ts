import { isResourceError } from '@chain/platform';
import { writeNewestBlock } from '../evm/index.ts';
import { EventLog, endStakingBlock, ofStage } from '../ledger/index.ts';
import type { StateReads } from '../state/view/index.ts';
import type { BlockOutcome } from './blockOutcome.ts';
import { BlockRun, type TransactionsInput } from './blockRun.ts';
import type { ExecutionParts } from './executionParts.ts';
import { outOfResources } from './faults.ts';

/** A block to run. */
export interface BlockInput extends TransactionsInput {
  /** Header hash, 32 bytes, which later blocks may ask for; none while nobody has decided the block. */
  readonly hash?: Uint8Array | undefined;
}

/**
 * Runs a block over `parent`, which is only read. Deterministic: the same input gives the same outcome, on any
 * machine, or none. Throws EXECUTION_OUT_OF_RESOURCES.
 */
export async function runBlock(
  input: BlockInput,
  parent: StateReads,
  parts: ExecutionParts,
): Promise<BlockOutcome> {
  const { height } = input.context;
  try {
    const run = new BlockRun(input, parent, parts);
    await run.runTransactions();
    const end = { overlay: run.overlay, events: new EventLog() };
    const validatorUpdates = endStakingBlock(end, run.ledger.block);
    if (input.hash) writeNewestBlock(run.overlay, { height, hash: input.hash });
    const events = [...ofStage(run.events, 'BeginBlock'), ...ofStage(end.events.events, 'EndBlock')];
    return { ...run.settle(), events, validatorUpdates };
  } catch (error) {
    throw isResourceError(error) ? outOfResources(height, error) : error;
  }
}
