import { isCodedError } from '@chain/platform';
import { BECH32_PREFIX, fromBech32 } from '../../primitives/index.ts';
import { ledgerError } from '../ledgerError.ts';

/** A chain account named by a message, 20 bytes; `role` is the SDK's word for it. Throws LEDGER_REFUSED. */
export function accountAt(text: string, role: string): Uint8Array {
  return addressAt(text, role, BECH32_PREFIX.account);
}

/** A validator's operator, 20 bytes. Throws LEDGER_REFUSED. */
export function operatorAt(text: string): Uint8Array {
  return addressAt(text, 'validator', BECH32_PREFIX.validator);
}

function addressAt(text: string, role: string, prefix: string): Uint8Array {
  try {
    return fromBech32(text, prefix);
  } catch (cause) {
    if (!isCodedError(cause, 'ADDRESS_INVALID_BECH32')) throw cause;
    throw ledgerError('address', `invalid ${role} address: ${cause.message}`, cause);
  }
}
