import {
  DVPairs,
  type DVVTriplet,
  DVVTriplets,
  Redelegation,
  UnbondingDelegation,
  type UnbondingDelegationEntry,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { fromBech32, toBech32 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { BlockTime } from '../../types/index.ts';
import { type LedgerEffects, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { ledgerError } from '../ledgerError.ts';
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
  stakingKeys,
} from './stakingRows.ts';
import {
  enqueue,
  isBeyondTelling,
  isDue,
  later,
  queueKey,
  REDELEGATION_QUEUE,
  takeDue,
  UNBONDING_QUEUE,
} from './timeQueue.ts';
import { takeUnbondingId } from './validatorStatus.ts';
import { isBonded, isUnbonded } from './validatorTokens.ts';

const NO_BYTES = new Uint8Array(0);
const OPERATOR = 'chainvaloper';

/** When what is unbonded now is free, and the height of now. */
interface Completion {
  readonly time: BlockTime;
  readonly height: number;
}

/** When an unbonding that begins now is over. Throws LEDGER_REFUSED in a block that claims to be ages ahead. */
function completionTime({ overlay }: LedgerEffects, now: BlockTime): BlockTime {
  const { unbondingTime } = readStakingParams(overlay)!;
  if (isBeyondTelling(now.seconds + unbondingTime.seconds)) {
    const times = `${unbondingTime.seconds} s after the block's time, ${now.seconds} s since 1970`;
    throw ledgerError('request', `unbonding would end ${times}: past the year 9999`);
  }
  return later(now, unbondingTime);
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
  const entries = withEntry(before?.entries ?? [], completion, { tokens, id: takeUnbondingId(overlay) });
  const message: UnbondingDelegation = { ...names, entries };
  const place = { store: STORE.staking, key: stakingKeys.unbonding(delegator, operator) };
  writeRow(overlay, place, UnbondingDelegation, message);
  overlay.set(STORE.staking, stakingKeys.unbondingOfValidator(operator, delegator), NO_BYTES);
  enqueue(overlay, queueKey(UNBONDING_QUEUE, completion.time), {
    codec: DVPairs,
    add: (due) => ({ pairs: [...(due?.pairs ?? []), names] }),
  });
  return completion.time;
}

interface Leaving {
  readonly tokens: bigint;
  readonly id: bigint;
}

const entryOf = ({ time, height }: Completion, { tokens, id }: Leaving) => ({
  creationHeight: BigInt(height),
  completionTime: time,
  initialBalance: tokens.toString(),
  unbondingId: id,
  unbondingOnHoldRefCount: 0n,
});

/** What unbonds in one block is one entry. */
function withEntry(
  entries: readonly UnbondingDelegationEntry[],
  completion: Completion,
  leaving: Leaving,
): UnbondingDelegationEntry[] {
  const added = entryOf(completion, leaving);
  const at = entries.findIndex(
    ({ creationHeight, completionTime: due }) =>
      creationHeight === added.creationHeight &&
      due.seconds === completion.time.seconds &&
      due.nanos === completion.time.nanos,
  );
  if (at === -1) return [...entries, { ...added, balance: added.initialBalance }];
  const plus = (amount: string) => (BigInt(amount) + leaving.tokens).toString();
  const { balance, initialBalance } = entries[at]!;
  return entries.with(at, {
    ...entries[at]!,
    balance: plus(balance),
    initialBalance: plus(initialBalance),
  });
}

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
  const shares = sharesToRemove(effects, stake, amount);
  if (Buffer.compare(source, target) === 0) throw stakingError('sameValidator');
  if (!readValidator(overlay, target)) throw stakingError('redelegationTarget');
  const incoming = stakingKeys.redelegationTo(source, delegator, NO_BYTES).subarray(0, -1);
  const [moving] = overlay.iterate(STORE.staking, prefixRange(incoming));
  if (moving) throw stakingError('transitive');
  const before = readRedelegation(overlay, delegator, { source, target });
  if ((before?.entries.length ?? 0) >= readStakingParams(overlay)!.maxEntries)
    throw stakingError('redelegationEntries');
  const leaving = requireValidator(effects, source);
  const from = poolOf(leaving);
  const tokens = removeStake(effects, stake, shares);
  if (tokens === 0n) throw stakingError('tiny');
  const sharesDst = addStake(effects, { delegator, operator: target, height }, tokens, from).toString();
  // What nobody can be slashed for any more moves on as it likes.
  if (isUnbonded(leaving)) return now;
  const completion = isBonded(leaving)
    ? { time: completionTime(effects, now), height }
    : { time: leaving.unbondingTime, height: Number(leaving.unbondingHeight) };
  const { time } = completion;
  const names = {
    delegatorAddress: toBech32(delegator),
    validatorSrcAddress: toBech32(source, OPERATOR),
    validatorDstAddress: toBech32(target, OPERATOR),
  };
  const id = takeUnbondingId(overlay);
  const entries = [...(before?.entries ?? []), { ...entryOf(completion, { tokens, id }), sharesDst }];
  const place = { store: STORE.staking, key: stakingKeys.redelegation(delegator, source, target) };
  writeRow(overlay, place, Redelegation, { ...names, entries });
  overlay.set(STORE.staking, stakingKeys.redelegationFrom(source, delegator, target), NO_BYTES);
  overlay.set(STORE.staking, stakingKeys.redelegationTo(target, delegator, source), NO_BYTES);
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

function completeRedelegation({ overlay, events }: LedgerEffects, now: BlockTime, names: DVVTriplet): void {
  const delegator = fromBech32(names.delegatorAddress);
  const [source, target] = [operatorOf(names.validatorSrcAddress), operatorOf(names.validatorDstAddress)];
  const redelegation = readRedelegation(overlay, delegator, { source, target });
  if (!redelegation) return;
  const entries = redelegation.entries.filter((entry) => !isDue(entry.completionTime, now));
  const done = redelegation.entries.filter((entry) => isDue(entry.completionTime, now));
  if (done.length === 0) return;
  const amount = done.reduce((sum, { initialBalance }) => sum + BigInt(initialBalance), 0n);
  events.add('complete_redelegation', {
    amount: `${amount}${BASE_DENOMINATION}`,
    delegator: names.delegatorAddress,
    source_validator: names.validatorSrcAddress,
    destination_validator: names.validatorDstAddress,
  });
  const place = { store: STORE.staking, key: stakingKeys.redelegation(delegator, source, target) };
  if (entries.length > 0) {
    writeRow(overlay, place, Redelegation, { ...redelegation, entries });
    return;
  }
  overlay.delete(STORE.staking, place.key);
  overlay.delete(STORE.staking, stakingKeys.redelegationFrom(source, delegator, target));
  overlay.delete(STORE.staking, stakingKeys.redelegationTo(target, delegator, source));
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
  if (done.length === 0) return;
  const amount = done.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  if (amount > 0n) transferCoins(effects, { from: NOT_BONDED_POOL, to: delegator, coins });
  const entries = unbonding.entries.filter((entry) => !isDue(entry.completionTime, now));
  const place = { store: STORE.staking, key: stakingKeys.unbonding(delegator, operator) };
  if (entries.length > 0) writeRow(overlay, place, UnbondingDelegation, { ...unbonding, entries });
  else {
    overlay.delete(STORE.staking, place.key);
    overlay.delete(STORE.staking, stakingKeys.unbondingOfValidator(operator, delegator));
  }
  events.add('complete_unbonding', {
    amount: `${amount}${BASE_DENOMINATION}`,
    validator: unbonding.validatorAddress,
    delegator: unbonding.delegatorAddress,
  });
}
