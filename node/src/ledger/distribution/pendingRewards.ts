import type { Delegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE, divideDecimalDown, multiplyDecimalDown } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { readDelegation, readValidator } from '../staking/stakingRows.ts';
import { worthOf } from '../staking/validatorTokens.ts';
import { rewardAmount } from './decimalCoins.ts';
import {
  readCurrentRewards,
  readHistoricalRewards,
  readSlashes,
  readStartingInfo,
} from './distributionRows.ts';

/** Units of stake that shares are worth, a decimal rounded down. */
export function stakeOf(validator: Validator, shares: bigint): bigint {
  const total = BigInt(validator.delegatorShares);
  return total === 0n ? 0n : (shares * BigInt(validator.tokens) * DECIMAL_ONE) / total;
}

/** A reward ratio that a period ended with. */
export function endRatio(state: PointReads, operator: Uint8Array, period: bigint): bigint {
  return rewardAmount(readHistoricalRewards(state, operator, period)?.cumulativeRewardRatio ?? []);
}

/**
 * What a delegation has earned until `ratio`, as decimals of the base denomination (F1: each slash in between
 * starts a stretch with less stake). `ratio` is the validator's cumulative reward by unit of stake.
 */
export function earnedUntil(
  state: PointReads,
  { delegator, operator }: { readonly delegator: Uint8Array; readonly operator: Uint8Array },
  ratio: bigint,
): bigint {
  const start = readStartingInfo(state, operator, delegator);
  if (!start) return 0n;
  let stake = BigInt(start.stake);
  let from = endRatio(state, operator, start.previousPeriod);
  let earned = 0n;
  for (const { height, event } of readSlashes(state, operator)) {
    if (height < start.height || event.validatorPeriod <= start.previousPeriod) continue;
    const until = endRatio(state, operator, event.validatorPeriod);
    earned += multiplyDecimalDown(until - from, stake);
    stake = multiplyDecimalDown(stake, DECIMAL_ONE - BigInt(event.fraction));
    from = until;
  }
  return earned + multiplyDecimalDown(ratio - from, lesser(stake, stakeNow(state, { delegator, operator })));
}

/** Slashes round the stake down each by itself; it must not end above what the shares are worth. */
function stakeNow(
  state: PointReads,
  { delegator, operator }: { readonly delegator: Uint8Array; readonly operator: Uint8Array },
): bigint {
  const shares = BigInt(readDelegation(state, delegator, operator)!.shares);
  return worthOf(readValidator(state, operator)!, shares);
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The ratio that the validator's current period would end with now. */
export function currentRatio(state: PointReads, operator: Uint8Array, tokens: bigint): bigint {
  const current = readCurrentRewards(state, operator);
  if (!current) return 0n;
  const before = endRatio(state, operator, current.period - 1n);
  return tokens === 0n
    ? before
    : before + divideDecimalDown(rewardAmount(current.rewards), tokens * DECIMAL_ONE);
}

/** Rewards that a withdrawal would bring now: decimals of the base denomination, scaled by 10^18. */
export function pendingRewards(state: PointReads, delegator: Uint8Array, operator: Uint8Array): bigint {
  const validator = readValidator(state, operator);
  const delegation: Delegation | undefined = readDelegation(state, delegator, operator);
  if (!validator || !delegation) return 0n;
  const ratio = currentRatio(state, operator, BigInt(validator.tokens));
  return earnedUntil(state, { delegator, operator }, ratio);
}
