import { bytesToHex, equalBytes } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { BlockId, BlockNumberOrTag } from '../codec/blockId.ts';
import type { JobBase } from '../jobs/jobKind.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import type { Need } from '../rpcMethod.ts';
import { highestFloor, requireHeld } from './floors.ts';

/** Block 0 is a fixed object that no consensus decided (spec R-8). */
export type FoundBlock = BlockRecord | 'genesis' | undefined;

type Chain = Pick<
  RpcDeps,
  'chain' | 'history' | 'stateStore' | 'stateCommit' | 'genesisHash' | 'initialHeight'
>;

/** For block methods: `undefined` (shown as null) when unknown, an error when pruned (spec R-5). */
export function findBlock(deps: Chain, id: BlockId): FoundBlock {
  if (id instanceof Uint8Array) {
    if (equalBytes(id, deps.genesisHash)) return 'genesis';
    const record = deps.history.blockByHash(id);
    // Whoever shows a block shows what its transactions came to.
    if (record) requireHeld(deps, record.block.header.height, ['receipts']);
    return record;
  }
  const height = id === 'earliest' ? 0 : heightOf(deps, id);
  if (height === 0) return 'genesis';
  if (height > deps.chain.height) return undefined;
  requireHeld(deps, height, ['blocks', 'receipts']);
  return deps.history.blockByHeight(height);
}

/** For methods that need a block of the chain: blocks of `findBlock` but the genesis object. */
export function findRecord(deps: Chain, id: BlockId): BlockRecord | undefined {
  const found = findBlock(deps, id);
  return found === 'genesis' ? undefined : found;
}

/** The height whose state is asked for. Throws −32000 above the newest height, and below the first that has all `needs`. */
function stateHeight(deps: Chain, id: BlockId, needs: readonly Need[]): number {
  if (id instanceof Uint8Array) {
    if (equalBytes(id, deps.genesisHash)) return highestFloor(deps, needs);
    const record = deps.history.blockByHash(id);
    if (!record) throw serverError(`could not find block for hash ${bytesToHex(id).toUpperCase()}`);
    const { height } = record.block.header;
    requireHeld(deps, height, needs);
    return height;
  }
  const height = id === 'earliest' ? 0 : heightOf(deps, id);
  // Block 0 has no state of its own: genesis is part of the first block (spec R-5).
  if (height === 0) return highestFloor(deps, needs);
  if (height > deps.chain.height) {
    throw serverError(`requested height ${height} is not yet available; safe latest is ${deps.chain.height}`);
  }
  requireHeld(deps, height, needs);
  return height;
}

/** State after the block that is asked for, through the store router, also at `latest`. */
export function stateOf(deps: Chain, id: BlockId): PointReads {
  return deps.chain.stateAt(stateHeight(deps, id, ['state']));
}

/** The height whose state is to be proven; what waits in the mempool is in no app hash, so `pending` is the newest block. */
export function provableHeight(deps: Chain, id: BlockId): number {
  return stateHeight(deps, id, ['proofs']);
}

/** Reads that state; at `pending` with what waits in the mempool. */
export function readState<T>(
  deps: Chain & Pick<RpcDeps, 'pending'>,
  id: BlockId,
  read: (state: PointReads) => T,
): T | Promise<T> {
  const pending = id === 'pending' ? deps.pending.current() : undefined;
  return pending ? pending.then(({ state }) => read(state)) : read(stateOf(deps, id));
}

/** The version whose state a simulation on a decided block runs on. */
export function simulationVersion(deps: Chain, id: BlockId): number {
  return stateHeight(deps, id, ['state', 'blocks']);
}

/** What a simulation runs on: `pending` is the newest state with the mempool's transactions, in the block to come. */
export async function simulationBase(deps: Chain & Pick<RpcDeps, 'pending'>, id: BlockId): Promise<JobBase> {
  const { chain } = deps;
  const pending = id === 'pending' ? deps.pending.current() : undefined;
  if (pending) return (await pending).base;
  if (id === 'pending') return { version: chain.height, context: chain.pendingContext() };
  const version = simulationVersion(deps, id);
  return { version, context: chain.contextAt(version) };
}

/** Finality is instant: all tags but `earliest` are the newest block (spec R-5). */
export function heightOf({ chain }: Pick<Chain, 'chain'>, id: Exclude<BlockNumberOrTag, 'earliest'>): number {
  return typeof id === 'number' ? id : chain.height;
}
