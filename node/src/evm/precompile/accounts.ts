import { readChainAddress } from '../../ledger/index.ts';
import { BECH32_PREFIX, bytesToHex, fromBech32, isZero } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { delegationTarget } from '../delegation.ts';
import { readCode } from '../stateReads.ts';
import { refused } from './precompileError.ts';
import type { PrecompileCall } from './precompileMethod.ts';

/** The chain account of an EVM address: the associated one, else the one with the same 20 bytes. */
export function accountOf(state: PointReads, evmAddress: Uint8Array): Uint8Array {
  if (isZero(evmAddress)) throw refused('invalid addr');
  return readChainAddress(state, evmAddress) ?? evmAddress;
}

/**
 * The account that a caller acts for. Without an association that is the one with the same bytes, which a contract
 * under construction gets for good. An account that delegates its code has a key, and its association will come:
 * stake in its cast account would be lost then.
 */
export function callerAccount({ context: { caller }, ledger: { overlay } }: PrecompileCall): Uint8Array {
  const associated = readChainAddress(overlay, caller);
  if (associated) return associated;
  if (!delegationTarget(readCode(overlay, caller))) return caller;
  throw refused(`EVM address 0x${bytesToHex(caller)} is not associated; it has to send a transaction first`);
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
    throw refused((cause as Error).message);
  }
}
