import type { Logger } from '@chain/platform';
import { CodedError, isResourceError } from '@chain/platform';
import { isLedgerError, type LedgerError } from '../ledger/index.ts';
import type { Sources } from './sources.ts';
import { isRejection, type Rejection, rejection } from './transaction/rejection.ts';

/**
 * An exception that nobody declared was met. In a block it has become one constant result, for its own text may
 * differ from engine to engine; it is told here for who mends the program.
 */
export type FaultReport = (error: unknown, place: Readonly<Record<string, unknown>>) => void;

export function faultReport(logger: Logger, count: () => void): FaultReport {
  return (error, place) => {
    count();
    logger.error('A fault in this program was met and became a constant result; report it', {
      ...place,
      error,
    });
  };
}

/** Whether a transaction is refused in words of the chain's own. An error of the machine never is that. */
export function isRefusal(error: unknown): error is Rejection | LedgerError {
  return (isRejection(error) || isLedgerError(error)) && !isResourceError(error);
}

/** The one refusal (spec L-16) that every exception comes to that nobody declared. */
export function internalError(cause: unknown): Rejection {
  return rejection('OTHER', 'internal error', { cause });
}

/**
 * What an undeclared exception comes to in a block. Throws it where another machine would have another result: the
 * state cannot be read, the run is interrupted, or stack, heap or WebAssembly's memory is full. Otherwise it is told.
 */
export function blockFaults(
  sources: Sources,
  report: FaultReport,
  place: Readonly<Record<string, unknown>>,
): (error: unknown) => void {
  return (error) => {
    if (sources.failed || isResourceError(error)) throw error;
    report(error, place);
  };
}

/** The block's result would depend on this process, so that there is none: the node has to stop. */
export function outOfResources(height: number, cause: unknown): CodedError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodedError(
    'EXECUTION_OUT_OF_RESOURCES',
    `block ${height} cannot be run with the stack and memory of this process (${why}); it is not committed: start the node again with more of both`,
    { fields: { height }, cause },
  );
}
