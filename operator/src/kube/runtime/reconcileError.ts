import { CodedError, type ErrorFields, isCodedError } from '@chain/platform';

/** Tried again soon, later with every failure. */
export function transientError(message: string, fields: ErrorFields = {}): CodedError<'RECONCILE_TRANSIENT'> {
  return new CodedError('RECONCILE_TRANSIENT', message, { fields });
}

export type ReconcileOutcome = 'done' | 'conflict' | 'terminal' | 'transient';

/** What follows an error: a conflict is no failure, a refusal is final, all else passes. */
export function outcomeOf(error: unknown): Exclude<ReconcileOutcome, 'done'> {
  if (isCodedError(error, 'KUBE_CONFLICT') || isCodedError(error, 'KUBE_EXISTS')) return 'conflict';
  if (isCodedError(error, 'KUBE_REFUSED')) return 'terminal';
  return 'transient';
}
