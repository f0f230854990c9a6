import { CodedError } from '@chain/platform';

/** ABCI codes of a refused envelope (spec L-7). */
const ABCI_INVALID_REQUEST = 18;
export const ABCI_UNSUPPORTED_TYPE = 44;

/** An EVM envelope that breaks a rule; `fields.abciCode` is the code CheckTx answers with. */
export function envelopeError(
  message: string,
  abciCode = ABCI_INVALID_REQUEST,
): CodedError<'EVM_INVALID_ENVELOPE'> {
  return new CodedError('EVM_INVALID_ENVELOPE', message, { fields: { abciCode } });
}
