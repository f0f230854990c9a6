import type { Run } from './blockRun.ts';
import { chainErrors } from './chainErrors.ts';
import type { ChainMetrics } from './chainMetrics.ts';
import { type ChainOptions, type ChainParts, heightOf } from './chainParts.ts';
import type { BlockProposal, Contexts } from './contexts.ts';
import { nextBaseFee } from './contexts.ts';
import type { ValidatorSets } from './validatorSets.ts';

export interface RunParts extends Pick<ChainParts, 'stateCommit' | 'execution'> {
  readonly contexts: Contexts;
  readonly validators: ValidatorSets;
  readonly timed: ChainMetrics['timed'];
}

/**
 * Runs a block over SC's state, which it leaves as it is. Blocks that were run and wait for their commit are in that
 * state and not yet announced, so nothing here goes by the newest announced height.
 */
export async function runNext(proposal: BlockProposal, options: ChainOptions, parts: RunParts): Promise<Run> {
  const { haltHeight = 0, genesis } = options;
  const { stateCommit, execution, contexts, validators, timed } = parts;
  const { height, hash, txs } = proposal;
  if (haltHeight > 0 && height > haltHeight) throw chainErrors.haltHeight(haltHeight);
  const last = heightOf(stateCommit.version, genesis);
  const isFirst = last === 0;
  const next = isFirst ? genesis.initialHeight : last + 1;
  if (height !== next) throw chainErrors.wrongHeight(height, next);
  const context = contexts.of(proposal, nextBaseFee(stateCommit, options, execution, isFirst));
  const input = { context, hash, txs, ...(isFirst && { genesis: genesis.state }) };
  const signers = validators.after(last, stateCommit);
  const outcome = await timed('run', () => execution.runBlock(input, stateCommit));
  return { hash, context, validators: signers, outcome };
}
