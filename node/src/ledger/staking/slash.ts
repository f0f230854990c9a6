import { DECIMAL_ONE } from '../../primitives/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { markSlash } from '../distribution/rewardPeriods.ts';
import { burn } from './burn.ts';
import { poolOf } from './delegations.ts';
import { slashRedelegations, slashUnbondings } from './slashLeaving.ts';
import { operatorOf, readValidator, readValidatorByConsensus } from './stakingRows.ts';
import type { StatusBlock } from './validatorStatus.ts';
import { isUnbonded, POWER_REDUCTION, withStake, writeValidator } from './validatorTokens.ts';

/** An offence. `fraction` of the stake behind `power` at `infractionHeight` is lost; a decimal scaled by 10^18. */
export interface Infraction {
  readonly infractionHeight: number;
  readonly power: bigint;
  readonly fraction: bigint;
  /** The block in which it is punished. */
  readonly block: StatusBlock;
}

/**
 * Burns a fraction of what a validator signed with: first of the stake that has left since, then of what it has.
 * Returns the units burned of the validator's own. Nothing of one that is unbonded or gone.
 */
export function slash(effects: LedgerEffects, consensusAddress: Uint8Array, infraction: Infraction): bigint {
  const { overlay } = effects;
  const { infractionHeight, power, fraction, block } = infraction;
  const found = readValidatorByConsensus(overlay, consensusAddress);
  if (!found || isUnbonded(found)) return 0n;
  const operator = operatorOf(found.operatorAddress);
  let owed = (power * POWER_REDUCTION * fraction) / DECIMAL_ONE;
  if (infractionHeight < block.height) {
    owed -= slashUnbondings(effects, operator, infraction);
    owed -= slashRedelegations(effects, operator, infraction);
  }
  const validator = readValidator(overlay, operator)!;
  const tokens = BigInt(validator.tokens);
  const burned = owed < 0n ? 0n : owed < tokens ? owed : tokens;
  if (burned === 0n) return 0n;
  markSlash(overlay, operator, { fraction: roundedUp(burned, tokens), height: block.height });
  writeValidator(overlay, withStake(validator, -burned, 0n), validator);
  burn(effects, poolOf(validator), burned);
  return burned;
}

const roundedUp = (part: bigint, whole: bigint): bigint => (part * DECIMAL_ONE + whole - 1n) / whole;
