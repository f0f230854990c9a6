import { type EvmBlock, evmBlockOf } from '../../evm/index.ts';
import type { StateReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';

const ZERO_WORD = new Uint8Array(32);

/** All calls on a block share its context, so its block too: the fork is a row of the state, hashes are read once. */
const blocks = new WeakMap<BlockContext, EvmBlock>();

/** The block that calls in a context see, unless they override it; randomness is zero to them. */
export function simulatedBlockOf({
  state,
  context,
}: {
  readonly state: StateReads;
  readonly context: BlockContext;
}): EvmBlock {
  const known = blocks.get(context);
  if (known) return known;
  const block = { ...evmBlockOf(context, state), prevRandao: ZERO_WORD };
  blocks.set(context, block);
  return block;
}
