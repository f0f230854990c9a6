import { concatAll, concatBytes } from './bytes.ts';
import { sha256 } from './hashing.ts';
import { hexToBytes } from './hex.ts';
import { writeUvarint } from './varint.ts';

const AMINO_SECP256K1 = hexToBytes('eb5ae98721');
const AMINO_MULTISIG = hexToBytes('22c1f7e2');

/** The chain address, 20 bytes, of several secp256k1 keys of which a number must sign: over amino, as the SDK has it. */
export function multisigAddressOf(threshold: number, compressedKeys: readonly Uint8Array[]): Uint8Array {
  const members = compressedKeys.map((key) => {
    const amino = concatBytes(AMINO_SECP256K1, key);
    return concatBytes(Uint8Array.of(0x12), writeUvarint(amino.length), amino);
  });
  const count = concatBytes(Uint8Array.of(0x08), writeUvarint(threshold));
  return sha256(concatAll([AMINO_MULTISIG, count, ...members])).subarray(0, 20);
}
