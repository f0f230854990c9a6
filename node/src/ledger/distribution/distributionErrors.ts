import { type LedgerError, moduleError } from '../ledgerError.ts';

const REGISTERED = {
  noDelegation: [5, 'no delegation distribution info'],
  noCommission: [7, 'no validator commission to withdraw'],
  withdrawAddress: [8, 'set withdraw address disabled'],
} as const satisfies Record<string, readonly [number, string]>;

/** An error that the SDK's x/distribution registers. */
export function distributionError(kind: keyof typeof REGISTERED, detail = ''): LedgerError {
  const [abciCode, phrase] = REGISTERED[kind];
  return moduleError({ codespace: 'distribution', abciCode, phrase }, detail);
}
