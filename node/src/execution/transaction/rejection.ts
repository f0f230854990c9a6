import { CodedError, type ErrorFields } from '@chain/platform';
import type { LedgerError } from '../../ledger/index.ts';
import type { TransactionResult } from '../../types/index.ts';

interface Registered {
  readonly abciCode: number;
  readonly codespace: string;
  readonly phrase: string;
}

/** Registered ABCI errors (spec L-7, rule 4). */
const REGISTERED = {
  FUNDS: { abciCode: 5, codespace: 'sdk', phrase: 'insufficient funds' },
  GAS: { abciCode: 11, codespace: 'sdk', phrase: 'out of gas' },
  FEE: { abciCode: 13, codespace: 'sdk', phrase: 'insufficient fee' },
  REQUEST: { abciCode: 18, codespace: 'sdk', phrase: 'invalid request' },
  CHAIN_ID: { abciCode: 28, codespace: 'sdk', phrase: 'invalid chain-id' },
  NONCE: { abciCode: 32, codespace: 'sdk', phrase: 'incorrect account sequence' },
  TYPE: { abciCode: 44, codespace: 'evm', phrase: 'unsupported transaction type' },
  OTHER: { abciCode: 1, codespace: 'undefined', phrase: 'unknown' },
} as const satisfies Record<string, Registered>;

export type RejectionKind = keyof typeof REGISTERED;

/** Code `EXECUTION_REJECTED_<KIND>`; the fields hold `abciCode` and `codespace`, as CheckTx answers them. */
export type Rejection = CodedError<`EXECUTION_REJECTED_${RejectionKind}`>;

/** The registered phrase, then what exactly is wrong. */
export function rejection(
  kind: RejectionKind,
  detail: string,
  details: { readonly fields?: ErrorFields; readonly cause?: unknown } = {},
): Rejection {
  const { abciCode, codespace, phrase } = REGISTERED[kind];
  return new CodedError(`EXECUTION_REJECTED_${kind}`, `${phrase}: ${detail}`, {
    fields: { ...details.fields, abciCode, codespace },
    cause: details.cause,
  });
}

export function isRejection(error: unknown): error is Rejection {
  return error instanceof CodedError && error.code.startsWith('EXECUTION_REJECTED_');
}

/** The result of a transaction that a block holds though it was refused. */
export function rejectedResult(error: Rejection | LedgerError, gasWanted: bigint): TransactionResult {
  return {
    code: Number(error.fields.abciCode),
    codespace: String(error.fields.codespace),
    data: new Uint8Array(0),
    log: error.message,
    gasWanted,
    gasUsed: 0n,
    events: [],
  };
}
