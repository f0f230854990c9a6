import { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing';
import { BECH32_PREFIX, toBech32 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { writeRow } from '../protoRow.ts';
import { readSigningInfo, slashingKeys } from './slashingRows.ts';

const NEVER = { seconds: 0n, nanos: 0 };

/** `address`: consensus address, 20 bytes. */
export function writeSigningInfo(overlay: Overlay, address: Uint8Array, info: ValidatorSigningInfo): void {
  const key = slashingKeys.signingInfo(address);
  writeRow(overlay, { store: STORE.slashing, key }, ValidatorSigningInfo, info);
}

/** A validator that joins the set is watched from here on; what it missed before stays counted. */
export function startSigning(overlay: Overlay, address: Uint8Array, height: number): void {
  const before = readSigningInfo(overlay, address) ?? {
    address: toBech32(address, BECH32_PREFIX.consensus),
    startHeight: 0n,
    indexOffset: 0n,
    jailedUntil: NEVER,
    tombstoned: false,
    missedBlocksCounter: 0n,
  };
  writeSigningInfo(overlay, address, { ...before, startHeight: BigInt(height) });
}
