import { CodedError } from '@chain/platform';

/** Errors that the Cosmos SDK registers, with its texts: codespace, ABCI code, phrase. */
const REGISTERED = {
  decode: ['sdk', 2, 'tx parse error'],
  unauthorized: ['sdk', 4, 'unauthorized'],
  funds: ['sdk', 5, 'insufficient funds'],
  unknownRequest: ['sdk', 6, 'unknown request'],
  address: ['sdk', 7, 'invalid address'],
  publicKey: ['sdk', 8, 'invalid pubkey'],
  unknownAddress: ['sdk', 9, 'unknown address'],
  coins: ['sdk', 10, 'invalid coins'],
  gas: ['sdk', 11, 'out of gas'],
  memo: ['sdk', 12, 'memo too large'],
  fee: ['sdk', 13, 'insufficient fee'],
  tooManySignatures: ['sdk', 14, 'maximum number of signatures exceeded'],
  noSignatures: ['sdk', 15, 'no signatures supplied'],
  request: ['sdk', 18, 'invalid request'],
  timeout: ['sdk', 30, 'tx timeout height'],
  extension: ['sdk', 31, 'unknown extension options'],
  sequence: ['sdk', 32, 'incorrect account sequence'],
  logic: ['sdk', 35, 'internal logic error'],
  notSupported: ['sdk', 37, 'feature not supported'],
  gasLimit: ['sdk', 41, 'invalid gas limit'],
  noInputs: ['bank', 2, 'no inputs to send transaction'],
  noOutputs: ['bank', 3, 'no outputs to send transaction'],
  inputOutput: ['bank', 4, 'sum inputs != sum outputs'],
  senders: ['bank', 9, 'multiple senders not allowed'],
} as const satisfies Record<string, readonly [codespace: string, code: number, phrase: string]>;

export type LedgerErrorKind = keyof typeof REGISTERED;

/** Code LEDGER_REFUSED; the fields hold `abciCode` and `codespace` as CheckTx and blocks answer them. */
export type LedgerError = CodedError<'LEDGER_REFUSED'>;

/** What is wrong, then the registered phrase: the order in which the SDK wraps its errors. */
export function ledgerError(kind: LedgerErrorKind, detail = '', cause?: unknown): LedgerError {
  const [codespace, abciCode, phrase] = REGISTERED[kind];
  return moduleError({ codespace, abciCode, phrase }, detail, cause);
}

/** An error that one module registers. Without a detail the phrase stands alone. */
export function moduleError(
  registered: { readonly codespace: string; readonly abciCode: number; readonly phrase: string },
  detail = '',
  cause?: unknown,
): LedgerError {
  const { codespace, abciCode, phrase } = registered;
  const message = detail === '' ? phrase : `${detail}: ${phrase}`;
  return new CodedError('LEDGER_REFUSED', message, { fields: { abciCode, codespace }, cause });
}

/** The SDK's answer to code that fails; it registers it in no codespace. */
const PANIC = { codespace: 'undefined', abciCode: 111_222, phrase: 'panic' } as const;

/**
 * Hears of an error that nobody declared. Throws when it tells of the machine and not of the transaction; otherwise a
 * fault of this program was found.
 */
export type OnFault = (error: unknown) => void;

/**
 * A refusal, whatever went wrong: a fault in this program must cost the transaction that finds it, and not stop the
 * chain. Its text is the same for all of them, for that of an exception depends on the engine.
 */
export function asRefusal(error: unknown, onFault: OnFault): LedgerError {
  if (isLedgerError(error)) return error;
  onFault(error);
  return moduleError(PANIC, 'internal error', error);
}

export function isLedgerError(error: unknown): error is LedgerError {
  return error instanceof CodedError && error.code === 'LEDGER_REFUSED';
}
