import { ValidatorHistoricalRewards } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import { Delegation, UnbondingDelegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { expect } from 'vitest';
import {
  moduleAddress,
  pendingRewards,
  readCommission,
  readEngineSets,
  readFeePool,
  readLastPower,
  readOutstandingRewards,
  readStakingPool,
  readSupplyWei,
  readUnits,
} from '../../node/src/ledger/index.ts';
import { fromBech32 } from '../../node/src/primitives/index.ts';
import type { ValidatorChain } from './validatorChain.ts';

const ONE = 10n ** 18n;
const BONDED = 3;

type State = ValidatorChain['state'];

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const operatorOf = (text: string): Uint8Array => fromBech32(text, 'chainvaloper');
const rowsOf = <T>(
  state: State,
  [store, prefix]: readonly [string, number],
  decode: (value: Uint8Array) => T,
): T[] =>
  state
    .rows(store)
    .filter(([key]) => key[0] === prefix)
    .map(([, value]) => decode(value));
const coins = (list: readonly { readonly amount: string }[]): bigint =>
  sum(list.map(({ amount }) => BigInt(amount)));

/** What holds after every block: the invariants of the SDK's bank, staking and distribution, and our own. */
export function expectInvariants(state: State): void {
  const validators = rowsOf(state, ['staking', 0x21], (row) => Validator.decode(row));
  const delegations = rowsOf(state, ['staking', 0x31], (row) => Delegation.decode(row));
  expectSupply(state);
  expectPools(state, validators);
  expectShares(validators, delegations);
  expectRewards(state, { validators, delegations });
  expectSets(state, validators);
}

function expectSupply(state: State): void {
  let wei = 0n;
  for (const [key, value] of state.rows('bank')) {
    // 0x02 ‖ length of the address ‖ address ‖ denomination
    const isBase = key[0] === 0x02 && Buffer.from(key.subarray(2 + key[1]!)).toString() === 'usei';
    if (isBase) wei += BigInt(Buffer.from(value).toString()) * 10n ** 12n;
    if (key[0] === 0x04) wei += BigInt(Buffer.from(value).toString());
  }
  expect(readSupplyWei(state)).toBe(wei);
}

/** The pools hold the tokens of validators, and what unbonds. */
function expectPools(state: State, validators: readonly Validator[]): void {
  const tokens = (isBonded: boolean) =>
    sum(validators.filter(({ status }) => (status === BONDED) === isBonded).map((one) => BigInt(one.tokens)));
  const unbonding = rowsOf(state, ['staking', 0x32], (row) => UnbondingDelegation.decode(row));
  const leaving = sum(unbonding.flatMap(({ entries }) => entries.map(({ balance }) => BigInt(balance))));
  expect(readStakingPool(state)).toEqual({ bonded: tokens(true), notBonded: tokens(false) + leaving });
}

/** Delegations × exchange rate are the tokens of a validator, but for what rounding leaves in it. */
function expectShares(validators: readonly Validator[], delegations: readonly Delegation[]): void {
  for (const { operatorAddress, delegatorShares, tokens } of validators) {
    const own = delegations.filter(({ validatorAddress }) => validatorAddress === operatorAddress);
    const total = BigInt(delegatorShares);
    expect(sum(own.map(({ shares }) => BigInt(shares)))).toBe(total);
    const worth = sum(own.map(({ shares }) => (BigInt(shares) * BigInt(tokens)) / (total || 1n)));
    expect(BigInt(tokens) - worth).toBeGreaterThanOrEqual(0n);
    if (total > 0n) expect(BigInt(tokens) - worth).toBeLessThanOrEqual(BigInt(own.length));
    else expect(tokens).toBe('0');
    for (const { shares } of own) expect(BigInt(shares)).toBeGreaterThan(0n);
  }
}

/** The account of rewards holds what is outstanding and the community's; everybody can be paid. */
function expectRewards(
  state: State,
  {
    validators,
    delegations,
  }: { readonly validators: readonly Validator[]; readonly delegations: readonly Delegation[] },
): void {
  const operators = validators.map(({ operatorAddress }) => operatorOf(operatorAddress));
  const outstanding = operators.map((operator) => coins(readOutstandingRewards(state, operator).rewards));
  const community = coins(readFeePool(state).communityPool);
  const held = readUnits(state, moduleAddress('distribution'), 'usei') * ONE;
  expect(sum(outstanding) + community).toBe(held);
  for (const [i, operator] of operators.entries()) {
    const name = validators[i]!.operatorAddress;
    const own = delegations.filter(({ validatorAddress }) => validatorAddress === name);
    const rewards = own.map((one) => pendingRewards(state, fromBech32(one.delegatorAddress), operator));
    const owed = sum(rewards) + coins(readCommission(state, operator).commission);
    expect(owed).toBeLessThanOrEqual(outstanding[i]!);
  }
  // Every period that is kept is kept for somebody: validators, delegations and slashes.
  const periods = rowsOf(state, ['distribution', 0x05], (row) => ValidatorHistoricalRewards.decode(row));
  const slashes = state.rows('distribution').filter(([key]) => key[0] === 0x08).length;
  const references = periods.reduce((total, { referenceCount }) => total + referenceCount, 0);
  expect(references).toBe(validators.length + delegations.length + slashes);
}

/** Bonded validators are the last set; the index of power has whoever is not jailed, once, under its power. */
function expectSets(state: State, validators: readonly Validator[]): void {
  const power = ({ tokens }: Validator) => BigInt(tokens) / 1_000_000n;
  const bonded = validators.filter(({ status }) => status === BONDED);
  const last = state.rows('staking').filter(([key]) => key[0] === 0x11);
  expect(last).toHaveLength(bonded.length);
  for (const one of bonded) {
    expect(one.jailed).toBe(false);
    expect(readLastPower(state, operatorOf(one.operatorAddress))).toBe(power(one));
  }
  const index = state.rows('staking').filter(([key]) => key[0] === 0x23);
  expect(index).toHaveLength(validators.filter(({ jailed }) => !jailed).length);
  for (const [key, operator] of index) {
    const one = validators.find(
      (other) => Buffer.compare(operatorOf(other.operatorAddress), operator) === 0,
    )!;
    expect(Buffer.from(key).readBigUInt64BE(1)).toBe(power(one));
  }
  const { afterNext } = readEngineSets(state);
  expect(afterNext.length).toBeGreaterThan(0);
  if (bonded.length > 0) {
    expect(sum(afterNext.map((one) => one.power))).toBe(sum(bonded.map(power)));
    expect(afterNext).toHaveLength(bonded.length);
  }
}
