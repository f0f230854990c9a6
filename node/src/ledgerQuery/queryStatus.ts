import { isCodedError } from '@chain/platform';

/** The gRPC status codes that queries end with. */
export const STATUS = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;

export type StatusName = keyof typeof STATUS;

export interface QueryStatus {
  readonly name: StatusName;
  readonly message: string;
}

const BY_CODE: Readonly<Record<string, StatusName>> = {
  QUERY_INVALID_ARGUMENT: 'INVALID_ARGUMENT',
  QUERY_NOT_FOUND: 'NOT_FOUND',
  QUERY_UNIMPLEMENTED: 'UNIMPLEMENTED',
  QUERY_TIMEOUT: 'DEADLINE_EXCEEDED',
  QUERY_CANCELLED: 'CANCELLED',
  QUERY_SIMULATION_FAILED: 'UNKNOWN',
  EVENT_QUERY_REFUSED: 'INVALID_ARGUMENT',
  CONSENSUS_COMET_DOWN: 'UNAVAILABLE',
  HISTORY_EVENTS_OFF: 'UNAVAILABLE',
  HISTORY_EVENTS_TOO_MANY: 'INVALID_ARGUMENT',
  PROTO_BAD_INPUT: 'INVALID_ARGUMENT',
  ADDRESS_INVALID_BECH32: 'INVALID_ARGUMENT',
  HEX_INVALID: 'INVALID_ARGUMENT',
  CHAIN_HEIGHT_NOT_YET: 'INVALID_ARGUMENT',
  CHAIN_HEIGHT_PRUNED: 'INVALID_ARGUMENT',
};

/** How a client is told of an error. An error that is nobody's answer is INTERNAL, and its text stays here. */
export function queryStatus(error: unknown): QueryStatus {
  if (!isCodedError(error)) return { name: 'INTERNAL', message: 'internal error' };
  const known = BY_CODE[error.code];
  if (known) return { name: known, message: error.message };
  // What CheckTx or a simulation refuses: the SDK gives these no code of their own.
  const refused = error.fields.abciCode !== undefined || /^(EXECUTION|MEMPOOL)_/.test(error.code);
  return refused
    ? { name: 'UNKNOWN', message: error.message }
    : { name: 'INTERNAL', message: 'internal error' };
}
