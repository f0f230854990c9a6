import { CodedError } from '@chain/platform';

/** What a thread is told. Params are whatever structured clone can carry. */
export type ThreadRequest =
  | { readonly id: number; readonly kind: string; readonly params: unknown; readonly timeoutMs: number }
  | 'close';

/** What a thread says: how a job ended, and whether it can take another one or should not. */
export type ThreadReply =
  | 'ready'
  | 'worn'
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: JobFailure };

/** A coded error in parts, for threads keep no classes; of anything else what every message can carry. */
export type JobFailure =
  | { readonly code: string; readonly message: string; readonly fields: CodedError['fields'] }
  | { readonly crash: unknown };

/** Handed to a thread when it starts. */
export interface ThreadStart {
  readonly flags: SharedArrayBuffer;
  readonly heapMegabytes: number;
  /** The service's own start-up data. */
  readonly data: unknown;
}

/** Words of the flags that a pool and one thread share. */
export const FLAG = {
  /** Id of the job that is no longer wanted. */
  cancelled: 0,
} as const;
export const FLAG_WORDS = 1;

export function failureOf(error: unknown): JobFailure {
  if (!(error instanceof CodedError)) return { crash: bareError(error) };
  return { code: error.code, message: error.message, fields: { ...error.fields } };
}

/** Members that somebody hung on an error may be functions, or deep: neither can be sent. */
function bareError(error: unknown): unknown {
  if (!(error instanceof Error)) return new TypeError(`thrown: ${String(error)}`);
  const bare = error instanceof RangeError ? new RangeError(error.message) : new TypeError(error.message);
  bare.name = error.name;
  if (error.stack !== undefined) bare.stack = error.stack;
  return bare;
}

export function errorOf(failure: JobFailure): unknown {
  if ('crash' in failure) return failure.crash;
  return new CodedError(failure.code, failure.message, { fields: failure.fields });
}
