import { type LedgerError, moduleError } from '../ledgerError.ts';

const REGISTERED = {
  noValidator: [2, 'address is not associated with any known validator'],
  jailed: [4, 'validator still jailed; cannot be unjailed'],
  notJailed: [5, 'validator not jailed; cannot be unjailed'],
  noSelfDelegation: [6, 'validator has no self-delegation; cannot be unjailed'],
  selfDelegation: [7, "validator's self delegation less than minimum; cannot be unjailed"],
} as const satisfies Record<string, readonly [number, string]>;

/** An error that the SDK's x/slashing registers. */
export function slashingError(kind: keyof typeof REGISTERED, detail = ''): LedgerError {
  const [abciCode, phrase] = REGISTERED[kind];
  return moduleError({ codespace: 'slashing', abciCode, phrase }, detail);
}
