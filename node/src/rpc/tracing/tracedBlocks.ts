import type { BlockRecord } from '../../types/index.ts';
import { requireHeld } from '../blocks/floors.ts';
import { requireNeeds } from '../blocks/resolveBlock.ts';
import type { BlockId } from '../codec/blockId.ts';
import { serverError } from '../rpcError.ts';
import type { BlockResolver } from '../rpcMethod.ts';
import type { TraceBase } from './traceRunner.ts';
import { blockToTrace } from './traceTarget.ts';

/** The block to run again. Throws −32000 as `blockToTrace` does. */
export const asTraced: BlockResolver<BlockId, BlockRecord> = (deps, id, needs) => {
  requireNeeds(deps, id, needs);
  return blockToTrace(deps, id);
};

/** The block to run again, or nothing where none is named. */
export const asTracedIfNamed: BlockResolver<BlockId | undefined, BlockRecord | undefined> = (
  deps,
  id,
  needs,
) => (id === undefined ? undefined : (asTraced(deps, id, needs) as BlockRecord));

/** The block on which something is run that no block has; there is none at `pending`. */
export const asTracedOn: BlockResolver<BlockId, BlockRecord> = (deps, id, needs) => {
  if (id === 'pending') throw serverError('tracing on top of pending is not supported');
  return asTraced(deps, id, needs);
};

/** The state after that block, which must be held. */
export const asStateTracedOn: BlockResolver<BlockId, TraceBase> = (deps, id, needs) => {
  const { height } = (asTracedOn(deps, id, needs) as BlockRecord).block.header;
  requireHeld(deps, height, ['state']);
  return { version: height, height };
};
