/**
 * The chain's stores, ascending. Every one counts in the app hash, also while it is empty, so the list is part
 * of consensus: adding a name is an upgrade.
 */
export const STORE_NAMES = [
  'acc',
  'authz',
  'bank',
  'distribution',
  'evm',
  'feegrant',
  'gov',
  'mint',
  'params',
  'slashing',
  'staking',
  'upgrade',
] as const;
