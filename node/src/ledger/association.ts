import { CodedError } from '@chain/platform';
import { bytesToHex, equalBytes } from '../primitives/index.ts';
import type { Overlay } from '../state/view/index.ts';
import { ensureAccount } from './account.ts';
import { readChainAddress, readEvmAddress, writeAssociation } from './associationRows.ts';
import { readAccountWei, readUnits, writeAccountWei, writeUnits } from './balance.ts';
import { readHeldDenominations } from './bank/heldDenominations.ts';

/** An EVM address and the chain account that it is. Addresses 20 bytes, the key compressed (33 bytes). */
export interface Association {
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
  readonly publicKey?: Uint8Array;
}

/**
 * Binds the two addresses for good: writes both rows, creates the account, moves what the cast account holds
 * (spec L-4). Returns false when they were bound already. Throws LEDGER_ASSOCIATED_ELSEWHERE.
 */
export function associate(overlay: Overlay, association: Association): boolean {
  const { evmAddress, chainAddress, publicKey } = association;
  const boundChain = readChainAddress(overlay, evmAddress);
  const boundEvm = readEvmAddress(overlay, chainAddress);
  if (boundChain && boundEvm && equalBytes(boundChain, chainAddress) && equalBytes(boundEvm, evmAddress)) {
    return false;
  }
  if (boundChain || boundEvm) throw associatedElsewhere(evmAddress, chainAddress);
  const castCoins = equalBytes(evmAddress, chainAddress) ? [] : readHeldDenominations(overlay, evmAddress);
  // Read before the rows exist: afterwards the EVM address means the chain account.
  const castWei = equalBytes(evmAddress, chainAddress) ? 0n : readAccountWei(overlay, evmAddress);
  writeAssociation(overlay, evmAddress, chainAddress);
  ensureAccount(overlay, chainAddress, publicKey);
  if (castWei > 0n) {
    writeAccountWei(overlay, evmAddress, 0n);
    writeAccountWei(overlay, chainAddress, readAccountWei(overlay, chainAddress) + castWei);
  }
  for (const denomination of castCoins)
    moveAll(overlay, denomination, { from: evmAddress, to: chainAddress });
  return true;
}

function moveAll(
  overlay: Overlay,
  denomination: string,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
): void {
  const amount = readUnits(overlay, from, denomination);
  writeUnits(overlay, from, { denomination, amount: 0n });
  writeUnits(overlay, to, { denomination, amount: readUnits(overlay, to, denomination) + amount });
}

function associatedElsewhere(evmAddress: Uint8Array, chainAddress: Uint8Array): CodedError {
  const fields = { evmAddress: bytesToHex(evmAddress), chainAddress: bytesToHex(chainAddress) };
  return new CodedError(
    'LEDGER_ASSOCIATED_ELSEWHERE',
    `account already has association set: 0x${fields.evmAddress} or chain account ${fields.chainAddress} is bound to another address`,
    { fields },
  );
}
