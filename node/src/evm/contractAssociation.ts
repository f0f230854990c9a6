import { readChainAddress, writeAssociation } from '../ledger/index.ts';
import type { Overlay } from '../state/view/index.ts';
import { delegationTarget } from './delegation.ts';

/**
 * A contract is associated with its cast address, the same 20 bytes (spec L-4). A delegating account is
 * not: its own key decides.
 */
export function associateContract(overlay: Overlay, address: Uint8Array, code: Uint8Array): void {
  if (code.length === 0 || delegationTarget(code) || readChainAddress(overlay, address)) return;
  writeAssociation(overlay, address, address);
}
