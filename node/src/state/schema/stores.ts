/**
 * The chain's stores by what they hold, ascending by name. Every one counts in the app hash, also while it is empty,
 * so the list is part of consensus: adding a name is an upgrade.
 */
export const STORE = {
  account: 'acc',
  authz: 'authz',
  bank: 'bank',
  distribution: 'distribution',
  evm: 'evm',
  feegrant: 'feegrant',
  gov: 'gov',
  mint: 'mint',
  params: 'params',
  slashing: 'slashing',
  staking: 'staking',
  upgrade: 'upgrade',
} as const;

export const STORE_NAMES: readonly string[] = Object.values(STORE);
