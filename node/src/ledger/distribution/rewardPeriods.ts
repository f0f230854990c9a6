import {
  DelegatorStartingInfo,
  ValidatorAccumulatedCommission,
  ValidatorCurrentRewards,
  ValidatorHistoricalRewards,
  ValidatorOutstandingRewards,
  ValidatorSlashEvent,
} from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import {
  concatBytes,
  DECIMAL_ONE,
  multiplyDecimal,
  toBech32,
  uint64ToBytes,
} from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { type LedgerEffects, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { moduleAddress } from '../moduleAddress.ts';
import { type MessageCodec, writeRow } from '../protoRow.ts';
import { readDelegation, readValidator } from '../staking/stakingRows.ts';
import { addToCommunityPool } from './communityPool.ts';
import { rewardAmount, rewardCoins } from './decimalCoins.ts';
import {
  distributionKeys,
  readCommission,
  readCurrentRewards,
  readHistoricalRewards,
  readOutstandingRewards,
  readStartingInfo,
  readWithdrawAddress,
} from './distributionRows.ts';
import { currentRatio, earnedUntil, endRatio, stakeOf } from './pendingRewards.ts';

/** Holds rewards until they are withdrawn. */
export const DISTRIBUTION_ACCOUNT = moduleAddress('distribution');

function write<T>(overlay: Overlay, key: Uint8Array, [codec, message]: [MessageCodec<T>, T]): void {
  writeRow(overlay, { store: STORE.distribution, key }, codec, message);
}

/** The rows of a new validator. Period 0 is over, period 1 runs. */
export function startRewards(overlay: Overlay, operator: Uint8Array): void {
  writeHistorical(overlay, operator, { period: 0n, ratio: 0n, referenceCount: 1 });
  write(overlay, distributionKeys.current(operator), [ValidatorCurrentRewards, { rewards: [], period: 1n }]);
  write(overlay, distributionKeys.commission(operator), [ValidatorAccumulatedCommission, { commission: [] }]);
  write(overlay, distributionKeys.outstanding(operator), [ValidatorOutstandingRewards, { rewards: [] }]);
}

/** Ends the current period of a validator and returns it: its ratio is known from now on. */
export function beginPeriod(overlay: Overlay, operator: Uint8Array): bigint {
  const tokens = BigInt(readValidator(overlay, operator)!.tokens);
  const { period, rewards } = readCurrentRewards(overlay, operator)!;
  if (tokens === 0n) forgo(overlay, operator, rewardAmount(rewards));
  const ratio = currentRatio(overlay, operator, tokens);
  release(overlay, operator, period - 1n);
  writeHistorical(overlay, operator, { period, ratio, referenceCount: 1 });
  const next = { rewards: [], period: period + 1n };
  write(overlay, distributionKeys.current(operator), [ValidatorCurrentRewards, next]);
  return period;
}

/** Without stake there is nobody whom the rewards of the period could be shared among. */
function forgo(overlay: Overlay, operator: Uint8Array, amount: bigint): void {
  if (amount === 0n) return;
  addToCommunityPool(overlay, amount);
  const rewards = rewardCoins(rewardAmount(readOutstandingRewards(overlay, operator).rewards) - amount);
  write(overlay, distributionKeys.outstanding(operator), [ValidatorOutstandingRewards, { rewards }]);
}

interface DelegationPlace {
  readonly delegator: Uint8Array;
  readonly operator: Uint8Array;
}

/** From here on a delegation earns by the ratio of the period that just ended. */
export function startDelegation(
  overlay: Overlay,
  { delegator, operator, height }: DelegationPlace & { readonly height: number },
): void {
  const previousPeriod = readCurrentRewards(overlay, operator)!.period - 1n;
  const history = readHistoricalRewards(overlay, operator, previousPeriod)!;
  const ratio = rewardAmount(history.cumulativeRewardRatio);
  const referenceCount = history.referenceCount + 1;
  writeHistorical(overlay, operator, { period: previousPeriod, ratio, referenceCount });
  const shares = BigInt(readDelegation(overlay, delegator, operator)!.shares);
  const stake = stakeOf(readValidator(overlay, operator)!, shares).toString();
  const info = { previousPeriod, stake, height: BigInt(height) };
  write(overlay, distributionKeys.startingInfo(operator, delegator), [DelegatorStartingInfo, info]);
}

/** Pays out what a delegation earned, and ends its stretch; returns whole units. */
export function settleDelegation(effects: LedgerEffects, { delegator, operator }: DelegationPlace): bigint {
  const { overlay, events } = effects;
  const ended = beginPeriod(overlay, operator);
  const start = readStartingInfo(overlay, operator, delegator);
  const outstanding = rewardAmount(readOutstandingRewards(overlay, operator).rewards);
  const earned = earnedUntil(overlay, { delegator, operator }, endRatio(overlay, operator, ended));
  // Rounding may add up to a hair more than there is.
  const capped = earned < outstanding ? earned : outstanding;
  const amount = capped / DECIMAL_ONE;
  const left = outstanding - capped;
  addToCommunityPool(overlay, capped - amount * DECIMAL_ONE);
  write(overlay, distributionKeys.outstanding(operator), [
    ValidatorOutstandingRewards,
    { rewards: rewardCoins(left) },
  ]);
  if (amount > 0n) payOut(effects, readWithdrawAddress(overlay, delegator), amount);
  if (start) release(overlay, operator, start.previousPeriod);
  overlay.delete(STORE.distribution, distributionKeys.startingInfo(operator, delegator));
  events.add('withdraw_rewards', {
    amount: `${amount}${BASE_DENOMINATION}`,
    validator: toBech32(operator, 'chainvaloper'),
    delegator: toBech32(delegator),
  });
  return amount;
}

/**
 * Books that a validator loses `fraction` (a decimal) of its stake: its delegations earn by less from here on.
 * Call before the stake is taken.
 */
export function markSlash(
  overlay: Overlay,
  operator: Uint8Array,
  { fraction, height }: { readonly fraction: bigint; readonly height: number },
): void {
  const validatorPeriod = beginPeriod(overlay, operator);
  const history = readHistoricalRewards(overlay, operator, validatorPeriod)!;
  const ratio = rewardAmount(history.cumulativeRewardRatio);
  const referenceCount = history.referenceCount + 1;
  writeHistorical(overlay, operator, { period: validatorPeriod, ratio, referenceCount });
  const event = { validatorPeriod, fraction: fraction.toString() };
  write(overlay, distributionKeys.slash(operator, BigInt(height), validatorPeriod), [
    ValidatorSlashEvent,
    event,
  ]);
  const index = overlay.get(STORE.distribution, distributionKeys.slashIndex(operator)) ?? new Uint8Array(0);
  const entry = concatBytes(uint64ToBytes(BigInt(height)), uint64ToBytes(validatorPeriod));
  overlay.set(STORE.distribution, distributionKeys.slashIndex(operator), concatBytes(index, entry));
}

/** Pays out a validator's commission; returns whole units. */
export function settleCommission(effects: LedgerEffects, operator: Uint8Array): bigint {
  const { overlay, events } = effects;
  const held = rewardAmount(readCommission(overlay, operator).commission);
  const amount = held / DECIMAL_ONE;
  if (amount === 0n) return 0n;
  const commission = rewardCoins(held - amount * DECIMAL_ONE);
  write(overlay, distributionKeys.commission(operator), [ValidatorAccumulatedCommission, { commission }]);
  const outstanding = rewardAmount(readOutstandingRewards(overlay, operator).rewards) - amount * DECIMAL_ONE;
  const rewards = rewardCoins(outstanding);
  write(overlay, distributionKeys.outstanding(operator), [ValidatorOutstandingRewards, { rewards }]);
  payOut(effects, readWithdrawAddress(overlay, operator), amount);
  events.add('withdraw_commission', { amount: `${amount}${BASE_DENOMINATION}` });
  return amount;
}

/** Credits a validator with fees: its commission apart, the rest to the current period. A decimal amount. */
export function creditRewards(effects: LedgerEffects, operator: Uint8Array, amount: bigint): void {
  const { overlay, events } = effects;
  const validator = readValidator(overlay, operator)!;
  const commission = multiplyDecimal(amount, BigInt(validator.commission.commissionRates.rate));
  const current = readCurrentRewards(overlay, operator)!;
  const sums = {
    commission: rewardAmount(readCommission(overlay, operator).commission) + commission,
    current: rewardAmount(current.rewards) + amount - commission,
    outstanding: rewardAmount(readOutstandingRewards(overlay, operator).rewards) + amount,
  };
  write(overlay, distributionKeys.commission(operator), [
    ValidatorAccumulatedCommission,
    { commission: rewardCoins(sums.commission) },
  ]);
  write(overlay, distributionKeys.current(operator), [
    ValidatorCurrentRewards,
    { ...current, rewards: rewardCoins(sums.current) },
  ]);
  write(overlay, distributionKeys.outstanding(operator), [
    ValidatorOutstandingRewards,
    { rewards: rewardCoins(sums.outstanding) },
  ]);
  events.add('rewards', { amount: `${amount}${BASE_DENOMINATION}`, validator: validator.operatorAddress });
}

/** Out of the distribution account; whole units. */
export function payOut(effects: LedgerEffects, to: Uint8Array, amount: bigint): void {
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  transferCoins(effects, { from: DISTRIBUTION_ACCOUNT, to, coins });
}

function writeHistorical(
  overlay: Overlay,
  operator: Uint8Array,
  {
    period,
    ratio,
    referenceCount,
  }: { readonly period: bigint; readonly ratio: bigint; readonly referenceCount: number },
): void {
  const message = { cumulativeRewardRatio: rewardCoins(ratio), referenceCount };
  write(overlay, distributionKeys.historical(operator, period), [ValidatorHistoricalRewards, message]);
}

/** One user of a period's ratio less; the last one takes the row along. */
function release(overlay: Overlay, operator: Uint8Array, period: bigint): void {
  const history = readHistoricalRewards(overlay, operator, period);
  if (!history) return;
  const key = distributionKeys.historical(operator, period);
  if (history.referenceCount <= 1) overlay.delete(STORE.distribution, key);
  else
    write(overlay, key, [
      ValidatorHistoricalRewards,
      { ...history, referenceCount: history.referenceCount - 1 },
    ]);
}
