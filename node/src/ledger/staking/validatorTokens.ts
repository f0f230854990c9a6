import {
  BondStatus,
  type Validator,
  Validator as ValidatorCodec,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE, divideDecimal } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { writeRow } from '../protoRow.ts';
import { operatorOf, stakingKeys } from './stakingRows.ts';

/** Units of stake for one unit of voting power, as in the SDK. */
export const POWER_REDUCTION = 1_000_000n;

export const powerOf = ({ tokens }: Pick<Validator, 'tokens'>): bigint => BigInt(tokens) / POWER_REDUCTION;
export const isUnbonded = ({ status }: Pick<Validator, 'status'>): boolean =>
  status === BondStatus.BOND_STATUS_UNBONDED;
export const isBonded = ({ status }: Pick<Validator, 'status'>): boolean =>
  status === BondStatus.BOND_STATUS_BONDED;

/** Writes a validator and its place in the order of power; `before` is what stood there. */
export function writeValidator(overlay: Overlay, validator: Validator, before?: Validator): void {
  const operator = operatorOf(validator.operatorAddress);
  if (before && !before.jailed) overlay.delete(STORE.staking, stakingKeys.power(powerOf(before), operator));
  writeRow(
    overlay,
    { store: STORE.staking, key: stakingKeys.validator(operator) },
    ValidatorCodec,
    validator,
  );
  if (!validator.jailed) {
    overlay.set(STORE.staking, stakingKeys.power(powerOf(validator), operator), operator);
  }
}

/** Shares (decimal, scaled by 10^18) that `amount` units buy; `undefined` when a slash left no units behind shares. */
export function sharesFor(validator: Validator, amount: bigint): bigint | undefined {
  const shares = BigInt(validator.delegatorShares);
  if (shares === 0n) return amount * DECIMAL_ONE;
  const tokens = BigInt(validator.tokens);
  return tokens === 0n ? undefined : (shares * amount) / tokens;
}

/** Units that shares are worth, rounded as the SDK does; the last shares are worth everything. */
export function tokensFor(validator: Validator, shares: bigint): bigint {
  if (shares === BigInt(validator.delegatorShares)) return BigInt(validator.tokens);
  return worthOf(validator, shares) / DECIMAL_ONE;
}

/** The same as a decimal, rounded half to even. */
export function worthOf(validator: Validator, shares: bigint): bigint {
  const total = BigInt(validator.delegatorShares);
  return total === 0n ? 0n : divideDecimal(shares * BigInt(validator.tokens), total);
}

export function withStake(validator: Validator, tokens: bigint, shares: bigint): Validator {
  return {
    ...validator,
    tokens: (BigInt(validator.tokens) + tokens).toString(),
    delegatorShares: (BigInt(validator.delegatorShares) + shares).toString(),
  };
}
