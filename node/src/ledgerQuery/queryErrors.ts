import { CodedError } from '@chain/platform';
import type { TransactionResult } from '../types/index.ts';

/** Errors whose text is for the client; `queryStatus` gives them their gRPC code. */
export const queryErrors = {
  invalid: (message: string, cause?: unknown) =>
    new CodedError('QUERY_INVALID_ARGUMENT', message, cause === undefined ? {} : { cause }),
  notFound: (message: string) => new CodedError('QUERY_NOT_FOUND', message),
  unimplemented: (what: string) =>
    new CodedError('QUERY_UNIMPLEMENTED', `${what} is not served by this node`),
  simulation: ({ codespace, code, log, gasUsed }: TransactionResult) =>
    new CodedError('QUERY_SIMULATION_FAILED', `${log} with gas used: '${gasUsed}'`, {
      fields: { codespace, abciCode: code },
    }),
  tooLong: () =>
    new CodedError('QUERY_TIMEOUT', 'the query took too long; ask for a smaller page or fewer blocks'),
  cancelled: () => new CodedError('QUERY_CANCELLED', 'the client has gone'),
  futureHeight: (height: number, latest: number) =>
    new CodedError(
      'QUERY_INVALID_ARGUMENT',
      `cannot query with height in the future; please provide a valid height (asked for ${height}, latest height: ${latest}): invalid height`,
      { fields: { height, latest } },
    ),
  prunedHeight: (height: number, earliest: number) =>
    new CodedError(
      'QUERY_INVALID_ARGUMENT',
      `failed to load state at height ${height}; version does not exist (earliest height: ${earliest}): invalid request`,
      { fields: { height, earliest } },
    ),
} as const;
