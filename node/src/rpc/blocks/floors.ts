import { toHexQuantity } from '../../primitives/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import type { Need } from '../rpcMethod.ts';

export type Floors = Pick<RpcDeps, 'history' | 'stateStore' | 'stateCommit' | 'initialHeight'>;

/** The first height that has the data; blocks, receipts and state are pruned apart from each other. */
function floorOf({ history, stateStore, stateCommit, initialHeight }: Floors, need: Need): number {
  if (need === 'state') return Math.max(stateStore.earliestVersion, initialHeight);
  if (need === 'stateBefore') {
    // The first block of all runs on genesis.
    const { earliestVersion } = stateStore;
    return earliestVersion <= initialHeight ? initialHeight : earliestVersion + 1;
  }
  if (need === 'proofs') return Math.max(stateCommit.earliestProvableVersion, initialHeight);
  return need === 'receipts' ? history.earliestReceiptHeight : history.earliestHeight;
}

/** The first height that has all of it. */
export function highestFloor(deps: Floors, needs: readonly Need[]): number {
  let floor = 0;
  for (const need of needs) floor = Math.max(floor, floorOf(deps, need));
  return floor;
}

/** What errors say of pruned data, for programs. */
export function missingData(needs: readonly Need[], earliest: number) {
  return { missing: needs.map(kindOf), earliest: toHexQuantity(earliest) };
}

function kindOf(need: Need): Need {
  return need === 'stateBefore' ? 'state' : need;
}

/** Throws −32000, naming what is missing and the first height that has all, so that nobody takes it for nothing. */
export function requireHeld(deps: Floors, height: number, needs: readonly Need[]): void {
  const earliest = highestFloor(deps, needs);
  if (height >= earliest) return;
  const missing = needs.filter((need) => height < floorOf(deps, need));
  throw new RpcError(
    RPC_CODE.server,
    `requested height ${height} has been pruned; earliest available is ${earliest} (missing: ${missing.map(kindOf).join(', ')})`,
    missingData(missing, earliest),
  );
}
