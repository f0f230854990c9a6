import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys';
import { CompactBitArray } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import type { SignerInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import type { Any } from 'cosmjs-types/google/protobuf/any';

/** How a transaction is signed: its bytes, or JSON that a person, or a device for one, can read. */
export type SigningMode = 'direct' | 'amino-json';

/** Several keys of which a number must sign. */
export interface MultisigKey {
  readonly threshold: number;
  /** Compressed, 33 bytes each. */
  readonly publicKeys: readonly Uint8Array[];
}

export const modeNumber = (mode: SigningMode): SignMode =>
  mode === 'direct' ? SignMode.SIGN_MODE_DIRECT : SignMode.SIGN_MODE_LEGACY_AMINO_JSON;

/** A compressed secp256k1 key, 33 bytes, as transactions carry it. */
export function packedKey(publicKey: Uint8Array): Any {
  return { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: publicKey }).finish() };
}

/** Of a single key. */
export function signerInfo(publicKey: Uint8Array, sequence: bigint, mode: SigningMode): SignerInfo {
  return { publicKey: packedKey(publicKey), modeInfo: { single: { mode: modeNumber(mode) } }, sequence };
}

/** Of several keys; `signing` are the places of those that sign, all in amino form. */
export function multisigSignerInfo(
  { threshold, publicKeys }: MultisigKey,
  sequence: bigint,
  signing: readonly number[],
): SignerInfo {
  const elems = new Uint8Array(Math.ceil(publicKeys.length / 8));
  for (const place of signing) elems[place >> 3]! |= 0x80 >> (place & 7);
  const bitarray = CompactBitArray.fromPartial({ elems, extraBitsStored: publicKeys.length % 8 });
  const value = LegacyAminoPubKey.encode({ threshold, publicKeys: publicKeys.map(packedKey) }).finish();
  const single = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } };
  return {
    publicKey: { typeUrl: LegacyAminoPubKey.typeUrl, value },
    modeInfo: { multi: { bitarray, modeInfos: signing.map(() => single) } },
    sequence,
  };
}
