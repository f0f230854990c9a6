import {
  DVPairs,
  type DVVTriplet,
  DVVTriplets,
  Redelegation,
  UnbondingDelegation,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { fromBech32, toBech32 } from '../../primitives/index.ts';
import type { BlockTime } from '../../types/index.ts';
import { type LedgerEffects, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { writeRow } from '../protoRow.ts';
import { prefixRange } from '../rowRange.ts';
import {
  addStake,
  poolOf,
  removeStake,
  requireValidator,
  type Stake,
  sharesToRemove,
} from './delegations.ts';
import { BONDED_POOL, NOT_BONDED_POOL } from './pool.ts';
import { stakingError } from './stakingErrors.ts';
import {
  operatorOf,
  readRedelegation,
  readStakingParams,
  readUnbonding,
  readValidator,
  STAKING_STORE,
  stakingKeys,
} from './stakingRows.ts';
import { enqueue, isDue, queueKey, REDELEGATION_QUEUE, takeDue, UNBONDING_QUEUE } from './timeQueue.ts';
import { isBonded } from './validatorTokens.ts';

const NO_BYTES = new Uint8Array(0);
const OPERATOR = 'chainvaloper';

/** When what is unbonded now is free, and the height of now. */
interface Completion {
  readonly time: BlockTime;
  readonly height: number;
}

/** When an unbonding that begins now is over. */
export function completionTime({ overlay }: LedgerEffects, now: BlockTime): BlockTime {
  const { seconds, nanos } = readStakingParams(overlay)!.unbondingTime;
  return { seconds: now.seconds + seconds, nanos: now.nanos + nanos };
}

/** Takes `amount` units of stake out of a validator; they are the delegator's again at the time returned. */
export function undelegate(
  effects: LedgerEffects,
  stake: Stake,
  { amount, now }: { amount: bigint; now: BlockTime },
): BlockTime {
  const { overlay } = effects;
  const { delegator, operator, height } = stake;
  const shares = sharesToRemove(effects, stake, amount);
  const before = readUnbonding(overlay, delegator, operator);
  if ((before?.entries.length ?? 0) >= readStakingParams(overlay)!.maxEntries)
    throw stakingError('unbondingEntries');
  const tokens = removeStake(effects, stake, shares);
  moveToUnbonded(effects, operator, tokens);
  const completion = { time: completionTime(effects, now), height };
  const names = { delegatorAddress: toBech32(delegator), validatorAddress: toBech32(operator, OPERATOR) };
  const message: UnbondingDelegation = {
    ...names,
    entries: [...(before?.entries ?? []), { ...entryOf(completion, tokens), balance: tokens.toString() }],
  };
  const place = { store: STAKING_STORE, key: stakingKeys.unbonding(delegator, operator) };
  writeRow(overlay, place, UnbondingDelegation, message);
  overlay.set(STAKING_STORE, stakingKeys.unbondingOfValidator(operator, delegator), NO_BYTES);
  enqueue(overlay, queueKey(UNBONDING_QUEUE, completion.time), {
    codec: DVPairs,
    add: (due) => ({ pairs: [...(due?.pairs ?? []), names] }),
  });
  return completion.time;
}

const entryOf = ({ time, height }: Completion, tokens: bigint) => ({
  creationHeight: BigInt(height),
  completionTime: time,
  initialBalance: tokens.toString(),
  unbondingId: 0n,
  unbondingOnHoldRefCount: 0n,
});

/** Unbonding stake is held by the pool of what is not bonded. */
function moveToUnbonded(effects: LedgerEffects, operator: Uint8Array, amount: bigint): void {
  const validator = readValidator(effects.overlay, operator);
  if (!validator || !isBonded(validator) || amount === 0n) return;
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  transferCoins(effects, { from: BONDED_POOL, to: NOT_BONDED_POOL, coins });
}

/** Moves stake to another validator at once. Returns when it may move on. */
export function redelegate(
  effects: LedgerEffects,
  stake: Stake,
  { target, amount, now }: { readonly target: Uint8Array; readonly amount: bigint; readonly now: BlockTime },
): BlockTime {
  const { overlay } = effects;
  const { delegator, operator: source, height } = stake;
  if (Buffer.compare(source, target) === 0) throw stakingError('sameValidator');
  if (!readValidator(overlay, target)) throw stakingError('redelegationTarget');
  const shares = sharesToRemove(effects, stake, amount);
  const incoming = stakingKeys.redelegationTo(source, delegator, NO_BYTES).subarray(0, -1);
  const [moving] = overlay.iterate(STAKING_STORE, prefixRange(incoming));
  if (moving) throw stakingError('transitive');
  const before = readRedelegation(overlay, delegator, { source, target });
  if ((before?.entries.length ?? 0) >= readStakingParams(overlay)!.maxEntries)
    throw stakingError('redelegationEntries');
  const from = poolOf(requireValidator(effects, source));
  const tokens = removeStake(effects, stake, shares);
  if (tokens === 0n) throw stakingError('tiny');
  const sharesDst = addStake(effects, { delegator, operator: target, height }, tokens, from).toString();
  const time = completionTime(effects, now);
  const names = {
    delegatorAddress: toBech32(delegator),
    validatorSrcAddress: toBech32(source, OPERATOR),
    validatorDstAddress: toBech32(target, OPERATOR),
  };
  const entries = [...(before?.entries ?? []), { ...entryOf({ time, height }, tokens), sharesDst }];
  const place = { store: STAKING_STORE, key: stakingKeys.redelegation(delegator, source, target) };
  writeRow(overlay, place, Redelegation, { ...names, entries });
  overlay.set(STAKING_STORE, stakingKeys.redelegationFrom(source, delegator, target), NO_BYTES);
  overlay.set(STAKING_STORE, stakingKeys.redelegationTo(target, delegator, source), NO_BYTES);
  enqueue(overlay, queueKey(REDELEGATION_QUEUE, time), {
    codec: DVVTriplets,
    add: (due) => ({ triplets: [...(due?.triplets ?? []), names] }),
  });
  return time;
}

/** Gives back what has finished unbonding, and forgets redelegations that are over. */
export function completeDue(effects: LedgerEffects, now: BlockTime): void {
  const { overlay } = effects;
  for (const { pairs } of takeDue(overlay, UNBONDING_QUEUE, { time: now, codec: DVPairs })) {
    for (const { delegatorAddress, validatorAddress } of pairs) {
      completeUnbonding(effects, now, [fromBech32(delegatorAddress), operatorOf(validatorAddress)]);
    }
  }
  for (const { triplets } of takeDue(overlay, REDELEGATION_QUEUE, { time: now, codec: DVVTriplets })) {
    for (const triplet of triplets) completeRedelegation(effects, now, triplet);
  }
}

function completeRedelegation({ overlay }: LedgerEffects, now: BlockTime, names: DVVTriplet): void {
  const delegator = fromBech32(names.delegatorAddress);
  const [source, target] = [operatorOf(names.validatorSrcAddress), operatorOf(names.validatorDstAddress)];
  const redelegation = readRedelegation(overlay, delegator, { source, target });
  if (!redelegation) return;
  const entries = redelegation.entries.filter((entry) => !isDue(entry.completionTime, now));
  const place = { store: STAKING_STORE, key: stakingKeys.redelegation(delegator, source, target) };
  if (entries.length > 0) {
    writeRow(overlay, place, Redelegation, { ...redelegation, entries });
    return;
  }
  overlay.delete(STAKING_STORE, place.key);
  overlay.delete(STAKING_STORE, stakingKeys.redelegationFrom(source, delegator, target));
  overlay.delete(STAKING_STORE, stakingKeys.redelegationTo(target, delegator, source));
}

function completeUnbonding(
  effects: LedgerEffects,
  now: BlockTime,
  [delegator, operator]: readonly [Uint8Array, Uint8Array],
): void {
  const { overlay, events } = effects;
  const unbonding = readUnbonding(overlay, delegator, operator);
  if (!unbonding) return;
  const done = unbonding.entries.filter((entry) => isDue(entry.completionTime, now));
  const amount = done.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  if (amount > 0n) transferCoins(effects, { from: NOT_BONDED_POOL, to: delegator, coins });
  const entries = unbonding.entries.filter((entry) => !isDue(entry.completionTime, now));
  const place = { store: STAKING_STORE, key: stakingKeys.unbonding(delegator, operator) };
  if (entries.length > 0) writeRow(overlay, place, UnbondingDelegation, { ...unbonding, entries });
  else {
    overlay.delete(STAKING_STORE, place.key);
    overlay.delete(STAKING_STORE, stakingKeys.unbondingOfValidator(operator, delegator));
  }
  events.add('complete_unbonding', {
    amount: `${amount}${BASE_DENOMINATION}`,
    validator: unbonding.validatorAddress,
    delegator: unbonding.delegatorAddress,
  });
}
