import {
  Delegation,
  Params,
  Redelegation,
  UnbondingDelegation,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  BECH32_PREFIX,
  concatBytes,
  fromBech32,
  readUvarint,
  uint64ToBytes,
} from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { readRow } from '../protoRow.ts';
import { type RowRange, sizedKey, sizedParts } from '../rowRange.ts';

const POWER_INDEX = 0x23;

/** Addresses: operators and delegators 20 bytes, consensus addresses 20 bytes. */
export const stakingKeys = {
  lastPower: (operator: Uint8Array) => sizedKey(0x11, operator),
  lastTotalPower: Uint8Array.of(0x12),
  validator: (operator: Uint8Array) => sizedKey(0x21, operator),
  validatorByConsensus: (address: Uint8Array) => sizedKey(0x22, address),
  /** Ascending power; among equals the greater address first, as addresses are inverted. */
  power: (power: bigint, operator: Uint8Array) =>
    concatBytes(
      Uint8Array.of(POWER_INDEX),
      uint64ToBytes(power),
      Uint8Array.of(operator.length),
      operator.map((byte) => byte ^ 0xff),
    ),
  delegation: (delegator: Uint8Array, operator: Uint8Array) => sizedKey(0x31, delegator, operator),
  unbonding: (delegator: Uint8Array, operator: Uint8Array) => sizedKey(0x32, delegator, operator),
  unbondingOfValidator: (operator: Uint8Array, delegator: Uint8Array) => sizedKey(0x33, operator, delegator),
  redelegation: (delegator: Uint8Array, source: Uint8Array, target: Uint8Array) =>
    sizedKey(0x34, delegator, source, target),
  redelegationFrom: (source: Uint8Array, delegator: Uint8Array, target: Uint8Array) =>
    sizedKey(0x35, source, delegator, target),
  redelegationTo: (target: Uint8Array, delegator: Uint8Array, source: Uint8Array) =>
    sizedKey(0x36, target, delegator, source),
  /** What numbers unbondings. */
  unbondingId: Uint8Array.of(0x37),
  params: Uint8Array.of(0x51),
  delegationOfValidator: (operator: Uint8Array, delegator: Uint8Array) => sizedKey(0x71, operator, delegator),
  /** Ours: the sets that sign the next block and the one after it. */
  nextSet: Uint8Array.of(0xa1),
  setAfterNext: Uint8Array.of(0xa2),
} as const;

/** The prefix of the rows that order validators by power. */
export const POWER_INDEX_PREFIX = Uint8Array.of(POWER_INDEX);
/** The prefix of the rows that tell the power of each validator of the current set. */
export const LAST_POWER_PREFIX = Uint8Array.of(0x11);

export const operatorOf = (text: string): Uint8Array => fromBech32(text, BECH32_PREFIX.validator);

export function readValidator(state: PointReads, operator: Uint8Array): Validator | undefined {
  return readRow(state, { store: STORE.staking, key: stakingKeys.validator(operator) }, Validator);
}

/** The validator that signs with the consensus key of this address. */
export function readValidatorByConsensus(state: PointReads, address: Uint8Array): Validator | undefined {
  const operator = state.get(STORE.staking, stakingKeys.validatorByConsensus(address));
  return operator && readValidator(state, operator);
}

/** Voting power in the current set; 0 outside it. */
export function readLastPower(state: PointReads, operator: Uint8Array): bigint {
  const row = state.get(STORE.staking, stakingKeys.lastPower(operator));
  return row ? decodeLastPower(row) : 0n;
}

/** google.protobuf.Int64Value: field 1 as a varint, nothing for zero. */
function decodeLastPower(row: Uint8Array): bigint {
  return row.length > 0 ? readUvarint(row, 1)[0] : 0n;
}

export function readDelegation(
  state: PointReads,
  delegator: Uint8Array,
  operator: Uint8Array,
): Delegation | undefined {
  return readRow(
    state,
    { store: STORE.staking, key: stakingKeys.delegation(delegator, operator) },
    Delegation,
  );
}

export function readUnbonding(
  state: PointReads,
  delegator: Uint8Array,
  operator: Uint8Array,
): UnbondingDelegation | undefined {
  return readRow(
    state,
    { store: STORE.staking, key: stakingKeys.unbonding(delegator, operator) },
    UnbondingDelegation,
  );
}

export function readRedelegation(
  state: PointReads,
  delegator: Uint8Array,
  { source, target }: { readonly source: Uint8Array; readonly target: Uint8Array },
): Redelegation | undefined {
  const key = stakingKeys.redelegation(delegator, source, target);
  return readRow(state, { store: STORE.staking, key }, Redelegation);
}

/** `undefined` on a chain whose genesis has no staking. */
export function readStakingParams(state: PointReads): Params | undefined {
  return readRow(state, { store: STORE.staking, key: stakingKeys.params }, Params);
}

export function validatorRows(): RowRange<Validator> {
  return {
    store: STORE.staking,
    prefix: Uint8Array.of(0x21),
    decode: (_key, value) => Validator.decode(value),
  };
}

export function delegationRows(delegator: Uint8Array): RowRange<Delegation> {
  return {
    store: STORE.staking,
    prefix: sizedKey(0x31, delegator),
    decode: (_key, value) => Delegation.decode(value),
  };
}

/** An index of who delegates to a validator: decodes to delegators, whose rows `readDelegation` has. */
export function validatorDelegatorRows(operator: Uint8Array): RowRange<Uint8Array> {
  return { store: STORE.staking, prefix: sizedKey(0x71, operator), decode: (key) => sizedParts(key)[1]! };
}

export function unbondingRows(delegator: Uint8Array): RowRange<UnbondingDelegation> {
  const decode = (_key: Uint8Array, value: Uint8Array) => UnbondingDelegation.decode(value);
  return { store: STORE.staking, prefix: sizedKey(0x32, delegator), decode };
}

/** Decodes to delegators that unbond from the validator; `readUnbonding` has the rows. */
export function validatorUnbondingRows(operator: Uint8Array): RowRange<Uint8Array> {
  return { store: STORE.staking, prefix: sizedKey(0x33, operator), decode: (key) => sizedParts(key)[1]! };
}

export function redelegationRows(delegator: Uint8Array): RowRange<Redelegation> {
  const decode = (_key: Uint8Array, value: Uint8Array) => Redelegation.decode(value);
  return { store: STORE.staking, prefix: sizedKey(0x34, delegator), decode };
}
