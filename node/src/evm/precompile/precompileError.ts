import { CodedError } from '@chain/platform';

/** Why a precompile refuses a call. Callers see a bare revert; the text goes to the receipt (spec L-10). */
export function refused(message: string): CodedError<'EVM_PRECOMPILE_REFUSED'> {
  return new CodedError('EVM_PRECOMPILE_REFUSED', message);
}
