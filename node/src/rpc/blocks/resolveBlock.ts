import { bytesToHex, equalBytes } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { BlockId, BlockNumberOrTag } from '../codec/blockId.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import type { Need, Uses } from '../rpcMethod.ts';
import { highestFloor, requireHeld } from './floors.ts';

/** Block 0 is a fixed object that no consensus decided (spec R-8). */
export type FoundBlock = BlockRecord | 'genesis' | undefined;

export const BLOCK_READS = [
  'chain',
  'history',
  'stateStore',
  'stateCommit',
  'genesisHash',
  'initialHeight',
] as const;
export type BlockReads = Uses<typeof BLOCK_READS>;

/** For block methods: `undefined` (shown as null) when unknown, an error when pruned (spec R-5). */
export function findBlock(deps: BlockReads, id: BlockId, needs: readonly Need[]): FoundBlock {
  if (id instanceof Uint8Array) {
    if (equalBytes(id, deps.genesisHash)) return 'genesis';
    const record = deps.history.blockByHash(id);
    if (record) requireHeld(deps, record.block.header.height, needs);
    return record;
  }
  const height = id === 'earliest' ? 0 : heightOf(deps, id);
  if (height === 0) return 'genesis';
  if (height > deps.chain.height) return undefined;
  requireHeld(deps, height, needs);
  return deps.history.blockByHeight(height);
}

/** The height whose state is asked for. Throws −32000 above the newest height, and below the first that has all `needs`. */
export function stateHeight(deps: BlockReads, id: BlockId, needs: readonly Need[]): number {
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

export function stateAtLatest(deps: BlockReads): PointReads {
  return deps.chain.stateAt(stateHeight(deps, 'latest', ['state']));
}

/** Before a method does any work: a height below what it reads is refused, not answered with nothing. */
export function requireNeeds(deps: BlockReads, height: unknown, needs: readonly Need[]): void {
  // Block 0 is a fixed object, and stands for the earliest state; heights to come are the method's to judge.
  if (typeof height !== 'number' || height === 0 || height > deps.chain.height) return;
  requireHeld(deps, height, needs);
}

/** Finality is instant: all tags but `earliest` are the newest block (spec R-5). */
export function heightOf(
  { chain }: Pick<RpcDeps, 'chain'>,
  id: Exclude<BlockNumberOrTag, 'earliest'>,
): number {
  return typeof id === 'number' ? id : chain.height;
}
