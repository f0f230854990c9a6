import { toHexData } from '../../primitives/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { isDenomination } from '../bank/coins.ts';
import { readMetadata } from '../bank/metadata.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { ledgerError } from '../ledgerError.ts';
import { POINTER_VERSION, type Pointer, pointerAddressOf, readPointer, writePointer } from './pointerRows.ts';

/** Puts the contract of a pointer into the EVM's state; the EVM knows how, the ledger does not. */
export type PointerDeployer = (
  overlay: Overlay,
  pointer: { readonly address: Uint8Array; readonly denomination: string },
) => void;

/**
 * Makes the ERC-20 contract of a denomination; anyone may. Throws LEDGER_REFUSED for the base denomination, which is
 * the EVM's own balance, for one without metadata, and for one that has its pointer.
 */
export function registerPointer(
  effects: LedgerEffects & { readonly deployPointer: PointerDeployer },
  denomination: string,
): Pointer {
  const { overlay, events } = effects;
  if (!isDenomination(denomination))
    throw ledgerError('coins', `invalid denom: ${denomination.slice(0, 140)}`);
  if (denomination === BASE_DENOMINATION) {
    throw ledgerError('request', `${denomination} needs no pointer: it is the EVM's own balance`);
  }
  if (!readMetadata(overlay, denomination)) {
    throw ledgerError('request', `denomination ${denomination} has no metadata that could name a token`);
  }
  const existing = readPointer(overlay, denomination);
  if (existing) {
    const place = `${toHexData(existing.address)} with version ${existing.version}`;
    throw ledgerError('request', `denomination ${denomination} has its pointer at ${place}`);
  }
  const pointer = { address: pointerAddressOf(denomination), version: POINTER_VERSION };
  writePointer(overlay, denomination, pointer);
  effects.deployPointer(overlay, { address: pointer.address, denomination });
  events.add('pointer_registered', {
    pointer_type: 'native',
    pointee: denomination,
    pointer_address: toHexData(pointer.address),
    pointer_version: String(pointer.version),
  });
  return pointer;
}
