import type {
  Delegation,
  Redelegation,
  UnbondingDelegation,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { BASE_DENOMINATION, stakeOf } from '../../../ledger/index.ts';
import { DECIMAL_ONE, formatDecimal } from '../../../primitives/index.ts';
import type { AbiValue } from '../abi/abiType.ts';

// Ledger rows as the staking precompile gives them (spec L-11). Decimals are text, shares are scaled by 10^18.

export const VALIDATOR_TUPLE =
  '(string operatorAddress, bytes consensusPubkey, bool jailed, int32 status, string tokens, string delegatorShares, string description, int64 unbondingHeight, int64 unbondingTime, string commissionRate, string commissionMaxRate, string commissionMaxChangeRate, int64 commissionUpdateTime, string minSelfDelegation)';
export const DELEGATION_TUPLE =
  '((uint256 amount, string denom) balance, (string delegator_address, uint256 shares, uint256 decimals, string validator_address) delegation)';
export const UNBONDING_TUPLE =
  '(string delegatorAddress, string validatorAddress, (int64 creationHeight, int64 completionTime, string initialBalance, string balance)[] entries)';
export const REDELEGATION_TUPLE =
  '(string delegatorAddress, string validatorSrcAddress, string validatorDstAddress, (int64 creationHeight, int64 completionTime, string initialBalance, string sharesDst)[] entries)';

const SHARE_DECIMALS = 18n;
const NO_BYTES = new Uint8Array(0);

const decimal = (text: string): string => formatDecimal(BigInt(text));

/** The description is JSON, for the JSON precompile to read. */
export function validatorValue(validator: Validator): AbiValue {
  const { commission, description } = validator;
  const { rate, maxRate, maxChangeRate } = commission.commissionRates;
  const { moniker, identity, website, securityContact, details } = description;
  return [
    validator.operatorAddress,
    validator.consensusPubkey?.value ?? NO_BYTES,
    validator.jailed,
    BigInt(validator.status),
    validator.tokens,
    decimal(validator.delegatorShares),
    JSON.stringify({ moniker, identity, website, security_contact: securityContact, details }),
    validator.unbondingHeight,
    validator.unbondingTime.seconds,
    decimal(rate),
    decimal(maxRate),
    decimal(maxChangeRate),
    commission.updateTime.seconds,
    validator.minSelfDelegation,
  ];
}

export function delegationValue(delegation: Delegation, validator: Validator): AbiValue {
  const shares = BigInt(delegation.shares);
  const units = stakeOf(validator, shares) / DECIMAL_ONE;
  return [
    [units, BASE_DENOMINATION],
    [delegation.delegatorAddress, shares, SHARE_DECIMALS, delegation.validatorAddress],
  ];
}

export function unbondingValue({
  delegatorAddress,
  validatorAddress,
  entries,
}: UnbondingDelegation): AbiValue {
  return [
    delegatorAddress,
    validatorAddress,
    entries.map((entry) => [
      entry.creationHeight,
      entry.completionTime.seconds,
      entry.initialBalance,
      entry.balance,
    ]),
  ];
}

export function redelegationValue(redelegation: Redelegation): AbiValue {
  const { delegatorAddress, validatorSrcAddress, validatorDstAddress, entries } = redelegation;
  return [
    delegatorAddress,
    validatorSrcAddress,
    validatorDstAddress,
    entries.map((entry) => [
      entry.creationHeight,
      entry.completionTime.seconds,
      entry.initialBalance,
      decimal(entry.sharesDst),
    ]),
  ];
}
