import { CodedError } from '@chain/platform';

/** Why a page, or a part of one, cannot be shown; `status` is the HTTP status of a page that is nothing else. */
export function pageFailure(status: number, message: string): CodedError<'EXPLORER_NOT_SHOWN'> {
  return new CodedError('EXPLORER_NOT_SHOWN', message, { fields: { status } });
}
