import { Delegation, type Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE, equalBytes, toBech32 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { beginPeriod, settleDelegation, startDelegation } from '../distribution/rewardPeriods.ts';
import { ledgerError } from '../ledgerError.ts';
import { writeRow } from '../protoRow.ts';
import { BONDED_POOL, NOT_BONDED_POOL } from './pool.ts';
import { stakingError } from './stakingErrors.ts';
import { readDelegation, readValidator, stakingKeys } from './stakingRows.ts';
import { jail, removeIfEmpty } from './validatorStatus.ts';
import { isBonded, sharesFor, tokensFor, withStake, worthOf, writeValidator } from './validatorTokens.ts';

/** A delegator and the operator of a validator, 20 bytes each; the height says when the stretch of rewards begins. */
export interface Stake {
  readonly delegator: Uint8Array;
  readonly operator: Uint8Array;
  readonly height: number;
}

export function requireValidator(effects: LedgerEffects, operator: Uint8Array): Validator {
  const validator = readValidator(effects.overlay, operator);
  if (!validator) throw stakingError('noValidator');
  return validator;
}

export const poolOf = (validator: Validator): Uint8Array =>
  isBonded(validator) ? BONDED_POOL : NOT_BONDED_POOL;

/**
 * Gives `amount` units to a validator and returns the shares for them. `from` pays: the delegator, or a pool when
 * the stake moves over from another validator. Rewards until now are paid out.
 */
export function addStake(
  effects: LedgerEffects,
  stake: Stake,
  amount: bigint,
  from = stake.delegator,
): bigint {
  const { delegator, operator } = stake;
  const { overlay } = effects;
  const validator = requireValidator(effects, operator);
  const shares = sharesFor(validator, amount);
  if (shares === undefined) throw stakingError('exchangeRate');
  const existing = readDelegation(overlay, delegator, operator);
  if (existing) settleDelegation(effects, stake);
  else beginPeriod(overlay, operator);
  const to = poolOf(validator);
  if (Buffer.compare(from, to) !== 0) {
    transferCoins(effects, { from, to, coins: [{ denomination: BASE_DENOMINATION, amount }] });
  }
  writeValidator(overlay, withStake(validator, amount, shares), validator);
  writeDelegation(effects, stake, BigInt(existing?.shares ?? '0') + shares);
  startDelegation(overlay, stake);
  return shares;
}

/** Takes shares from a delegation; returns the units they were worth, which stay in the validator's pool. */
export function removeStake(effects: LedgerEffects, stake: Stake, shares: bigint): bigint {
  const { delegator, operator } = stake;
  const { overlay } = effects;
  const existing = readDelegation(overlay, delegator, operator);
  if (!existing) throw stakingError('noDelegation');
  settleDelegation(effects, stake);
  const left = BigInt(existing.shares) - shares;
  const validator = orJailed(effects, requireValidator(effects, operator), { stake, left });
  if (left === 0n) deleteDelegation(effects, stake);
  else {
    writeDelegation(effects, stake, left);
    startDelegation(overlay, stake);
  }
  const tokens = tokensFor(validator, shares);
  const after = withStake(validator, -tokens, -shares);
  writeValidator(overlay, after, validator);
  removeIfEmpty(effects, after);
  return tokens;
}

/** An operator that leaves less than it promised to its own validator jails it. */
function orJailed(
  effects: LedgerEffects,
  validator: Validator,
  { stake, left }: { readonly stake: Stake; readonly left: bigint },
): Validator {
  const isOwn = equalBytes(stake.delegator, stake.operator);
  const isBelow = worthOf(validator, left) / DECIMAL_ONE < BigInt(validator.minSelfDelegation || '0');
  return isOwn && !validator.jailed && isBelow ? jail(effects, validator) : validator;
}

/** The shares that `amount` units are, all of them when rounding alone is missing. Throws LEDGER_REFUSED. */
export function sharesToRemove(
  effects: LedgerEffects,
  { delegator, operator }: Stake,
  amount: bigint,
): bigint {
  const validator = requireValidator(effects, operator);
  const held = BigInt(readDelegation(effects.overlay, delegator, operator)?.shares ?? '-1');
  if (held < 0n) throw stakingError('noDelegation');
  const shares = sharesFor(validator, amount);
  if (shares === undefined) throw stakingError('shares');
  if (shares > held) {
    throw ledgerError('request', `invalid shares amount: ${amount} units are more than is staked`);
  }
  return shares;
}

function writeDelegation({ overlay }: LedgerEffects, { delegator, operator }: Stake, shares: bigint): void {
  const delegation = {
    delegatorAddress: toBech32(delegator),
    validatorAddress: requireValidatorText(operator),
    shares: shares.toString(),
  };
  const key = stakingKeys.delegation(delegator, operator);
  writeRow(overlay, { store: STORE.staking, key }, Delegation, delegation);
  overlay.set(STORE.staking, stakingKeys.delegationOfValidator(operator, delegator), new Uint8Array(0));
}

function deleteDelegation({ overlay }: LedgerEffects, { delegator, operator }: Stake): void {
  overlay.delete(STORE.staking, stakingKeys.delegation(delegator, operator));
  overlay.delete(STORE.staking, stakingKeys.delegationOfValidator(operator, delegator));
}

const requireValidatorText = (operator: Uint8Array): string => toBech32(operator, 'chainvaloper');
