import { isCodedError } from '@chain/platform';
import { readChainAddress } from '../../ledger/index.ts';
import { BECH32_PREFIX, bytesToHex, fromBech32, isZero } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { refused } from './precompileError.ts';
import type { PrecompileCall } from './precompileMethod.ts';

/** The chain account of an EVM address: the associated one, else the one with the same 20 bytes. */
export function accountOf(state: PointReads, evmAddress: Uint8Array): Uint8Array {
  if (isZero(evmAddress)) throw refused('invalid addr');
  return readChainAddress(state, evmAddress) ?? evmAddress;
}

/** The chain account that an EVM address is associated with; stake and its rewards belong to no other kind. */
export function associatedAccount(state: PointReads, evmAddress: Uint8Array): Uint8Array {
  if (isZero(evmAddress)) throw refused('invalid addr');
  const associated = readChainAddress(state, evmAddress);
  if (associated) return associated;
  const how = 'a key by its first transaction, a contract once it has its code';
  throw refused(`EVM address 0x${bytesToHex(evmAddress)} is not associated: ${how}`);
}

/** The account that a caller acts for. */
export function callerAccount({ context: { caller }, ledger: { overlay } }: PrecompileCall): Uint8Array {
  return associatedAccount(overlay, caller);
}

export function chainAccountAt(text: string): Uint8Array {
  return bech32At(text, BECH32_PREFIX.account);
}

/** A validator's operator, 20 bytes. */
export function operatorAt(text: string): Uint8Array {
  return bech32At(text, BECH32_PREFIX.validator);
}

function bech32At(text: string, prefix: string): Uint8Array {
  try {
    return fromBech32(text, prefix);
  } catch (cause) {
    if (!isCodedError(cause, 'ADDRESS_INVALID_BECH32')) throw cause;
    throw refused(cause.message);
  }
}
