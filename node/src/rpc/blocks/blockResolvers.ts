import type { PointReads } from '../../state/view/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { BlockId } from '../codec/blockId.ts';
import type { PendingBlock } from '../pending/pendingBlocks.ts';
import { serverError } from '../rpcError.ts';
import type { BlockResolver } from '../rpcMethod.ts';
import { type FoundBlock, findBlock, requireNeeds, stateHeight } from './resolveBlock.ts';

/** The block; `undefined` when there is none. */
export const asBlock: BlockResolver<BlockId, FoundBlock> = findBlock;

/** The block, which must be there. */
export const asExistingBlock: BlockResolver<BlockId, BlockRecord | 'genesis'> = (deps, id, needs) => {
  const found = findBlock(deps, id, needs);
  if (!found) throw serverError('block not found');
  return found;
};

export type ListedBlock = FoundBlock | PendingBlock;

export function isPendingBlock(block: BlockRecord | PendingBlock): block is PendingBlock {
  return 'record' in block;
}

/** The block, at `pending` the one to come when anything waits. */
export const asListedBlock: BlockResolver<BlockId, ListedBlock> = (deps, id, needs) =>
  (id === 'pending' ? deps.pending.current() : undefined) ?? findBlock(deps, id, needs);

/** A number as it is; its block must be held where there is one. */
export const asNumber: BlockResolver<number, number> = (deps, height, needs) => {
  requireNeeds(deps, height, needs);
  return height;
};

/** State after the block, through the store router, also at `latest`; at `pending` with what waits in the mempool. */
export const asState: BlockResolver<BlockId, PointReads> = (deps, id, needs) => {
  const pending = id === 'pending' ? deps.pending.current() : undefined;
  return pending ? pending.then(({ state }) => state) : deps.chain.stateAt(stateHeight(deps, id, needs));
};

/** State after a decided block; at `pending` the newest one's. */
export const asDecidedState: BlockResolver<
  BlockId,
  { readonly state: PointReads; readonly isPending: boolean }
> = (deps, id, needs) => ({
  state: deps.chain.stateAt(stateHeight(deps, id, needs)),
  isPending: id === 'pending',
});

/** The height whose state is to be read, or proven; `pending` is the newest block. */
export const asStateHeight: BlockResolver<BlockId, number> = stateHeight;

/** What a simulation runs on: the version of a decided block, or what waits. */
export type SimulationBlock = number | 'pending';

/** Absent: as development tools want it, who simulate in the block to come, whose time and base fee they may have set. */
export const asSimulated: BlockResolver<BlockId | undefined, SimulationBlock> = (deps, id, needs) => {
  const block = id ?? (deps.development ? 'pending' : 'latest');
  return block === 'pending' ? block : stateHeight(deps, block, needs);
};
