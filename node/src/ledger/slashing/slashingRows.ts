import { Params, ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing';
import { concatBytes } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { readRow } from '../protoRow.ts';
import { type RowRange, sizedKey, sizedParts } from '../rowRange.ts';

/** Consensus addresses are 20 bytes. */
export const slashingKeys = {
  params: Uint8Array.of(0x00),
  signingInfo: (address: Uint8Array) => sizedKey(0x01, address),
  /** A window's missed blocks as bits, 1,024 to a row. */
  missedBlocks: (address: Uint8Array, chunk: number) => {
    const index = new Uint8Array(8);
    new DataView(index.buffer).setBigUint64(0, BigInt(chunk), true);
    return concatBytes(sizedKey(0x02, address), index);
  },
} as const;

export function readSigningInfo(state: PointReads, address: Uint8Array): ValidatorSigningInfo | undefined {
  return readRow(
    state,
    { store: STORE.slashing, key: slashingKeys.signingInfo(address) },
    ValidatorSigningInfo,
  );
}

export function readSlashingParams(state: PointReads): Params | undefined {
  return readRow(state, { store: STORE.slashing, key: slashingKeys.params }, Params);
}

export interface SigningInfoRow {
  /** Consensus address, 20 bytes. */
  readonly address: Uint8Array;
  readonly info: ValidatorSigningInfo;
}

export function signingInfoRows(): RowRange<SigningInfoRow> {
  return {
    store: STORE.slashing,
    prefix: Uint8Array.of(0x01),
    decode: (key, value) => ({ address: sizedParts(key)[0]!, info: ValidatorSigningInfo.decode(value) }),
  };
}
