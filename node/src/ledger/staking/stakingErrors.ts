import { type LedgerError, moduleError } from '../ledgerError.ts';

const REGISTERED = {
  noValidator: [3, 'validator does not exist'],
  operatorTaken: [
    4,
    'validator already exist for this operator address; must use new validator operator address',
  ],
  keyTaken: [5, 'validator already exist for this pubkey; must use new validator pubkey'],
  keyType: [6, 'validator pubkey type is not supported'],
  jailed: [7, 'validator for this address is currently jailed'],
  commissionNegative: [9, 'commission must be positive'],
  commissionHuge: [10, 'commission cannot be more than 100%'],
  commissionAboveMax: [11, 'commission cannot be more than the max rate'],
  commissionTime: [12, 'commission cannot be changed more than once in 24h'],
  changeNegative: [13, 'commission change rate must be positive'],
  changeAboveMax: [14, 'commission change rate cannot be more than the max rate'],
  commissionChange: [15, 'commission cannot be changed more than max change rate'],
  selfDelegation: [16, "validator's self delegation must be greater than their minimum self delegation"],
  selfDelegationDecreased: [17, 'minimum self delegation cannot be decrease'],
  noDelegation: [19, 'no delegation for (address, validator) tuple'],
  shares: [22, 'insufficient delegation shares'],
  unbondingEntries: [27, 'too many unbonding delegation entries for (delegator, validator) tuple'],
  sameValidator: [29, 'cannot redelegate to the same validator'],
  tiny: [30, 'too few tokens to redelegate (truncates to zero tokens)'],
  redelegationTarget: [31, 'redelegation destination validator not found'],
  transitive: [
    32,
    'redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation',
  ],
  redelegationEntries: [
    33,
    'too many redelegation entries for (delegator, src-validator, dst-validator) tuple',
  ],
  exchangeRate: [34, 'cannot delegate to validators with invalid (zero) ex-rate'],
  emptyKey: [39, 'empty validator public key'],
  commissionBelowMin: [40, 'commission cannot be less than min rate'],
} as const satisfies Record<string, readonly [number, string]>;

/** An error that the SDK's x/staking registers. */
export function stakingError(kind: keyof typeof REGISTERED, detail = ''): LedgerError {
  const [abciCode, phrase] = REGISTERED[kind];
  return moduleError({ codespace: 'staking', abciCode, phrase }, detail);
}
