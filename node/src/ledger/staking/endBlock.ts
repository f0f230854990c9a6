import type { ValidatorPower } from '../../types/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { chooseBondedSet, type SetBlock } from './bondedSet.ts';
import { advanceEngineSets, readEngineSets, setChanges } from './engineSets.ts';
import { trackBondedSet } from './historicalSets.ts';
import { readStakingParams } from './stakingRows.ts';
import { completeDue } from './unbonding.ts';
import { unbondMature } from './validatorStatus.ts';

/**
 * What staking does at the end of a block: chooses the bonded set, ends unbondings that are due. Returns what the
 * engine must change. Nothing on a chain without staking.
 */
export function endStakingBlock(effects: LedgerEffects, block: SetBlock): ValidatorPower[] {
  const { overlay } = effects;
  if (!readStakingParams(overlay)) return [];
  const bonded = chooseBondedSet(effects, block);
  const before = readEngineSets(overlay);
  // A chain without anybody who signs could not go on: then those who signed last stay.
  const chosen = bonded.length > 0 ? bonded : before.afterNext;
  advanceEngineSets(overlay, before, chosen);
  unbondMature(effects, block);
  completeDue(effects, block.time);
  trackBondedSet(overlay, block.height + 1);
  return setChanges(before.afterNext, chosen);
}
