import type { PointReads } from '../../state/view/index.ts';
import { readUnits } from '../balance.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { moduleAddress } from '../moduleAddress.ts';

/** Accounts that hold staked units: of validators in the set, and of all others and those that unbond. */
export const BONDED_POOL = moduleAddress('bonded_tokens_pool');
export const NOT_BONDED_POOL = moduleAddress('not_bonded_tokens_pool');

/** Staked units in the base denomination. */
export function readStakingPool(state: PointReads): { readonly bonded: bigint; readonly notBonded: bigint } {
  return {
    bonded: readUnits(state, BONDED_POOL, BASE_DENOMINATION),
    notBonded: readUnits(state, NOT_BONDED_POOL, BASE_DENOMINATION),
  };
}
