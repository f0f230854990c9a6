import { CodedError, messageOf } from '@chain/platform';

/** No room for another job; `fields.retryAfterMs` says when there may be. */
export function busy(what: string, retryAfterMs: number): CodedError<'THREADS_BUSY'> {
  return new CodedError('THREADS_BUSY', `server busy: ${what}; try again in ${retryAfterMs} ms`, {
    fields: { retryAfterMs },
  });
}

export function cancelled(): CodedError<'THREADS_CANCELLED'> {
  return new CodedError('THREADS_CANCELLED', 'the call was cancelled: nobody waits for its answer any more');
}

export function tookTooLong(timeoutMs: number): CodedError<'THREADS_TIMEOUT'> {
  return new CodedError('THREADS_TIMEOUT', `execution aborted (timeout = ${timeoutMs / 1000}s)`, {
    fields: { timeoutMs },
  });
}

export function outOfMemory(megabytes: number): CodedError<'THREADS_OUT_OF_MEMORY'> {
  return new CodedError(
    'THREADS_OUT_OF_MEMORY',
    `the call needed more than ${megabytes} MiB of memory; ask for less at once`,
    { fields: { megabytes } },
  );
}

export function threadEnded(cause: unknown): CodedError<'THREADS_ENDED'> {
  const reason = cause instanceof Error ? cause.message : 'it exited';
  return new CodedError('THREADS_ENDED', `the worker thread of this call has ended (${reason}); try again`, {
    cause,
  });
}

/** Its params, or its result, cannot be carried to another thread: too deep, or no plain data. */
export function unsendable(what: 'params' | 'result', cause: unknown): CodedError<'THREADS_UNSENDABLE'> {
  return new CodedError(
    'THREADS_UNSENDABLE',
    `the ${what} of the call cannot be passed between threads (${messageOf(cause)}); ask for less at once`,
    { cause },
  );
}

export function poolClosed(): CodedError<'THREADS_CLOSED'> {
  return new CodedError('THREADS_CLOSED', 'the node is stopping');
}
