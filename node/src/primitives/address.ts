import { CodedError } from '@chain/platform';
import { bech32 } from '@scure/base';
import { ripemd160, sha256 } from './hashing.ts';
import { bytesToHex } from './hex.ts';
import { keccak256 } from './keccak.ts';

/** Human-readable parts of the chain's bech32 addresses (spec L-1, Identity). */
export const BECH32_PREFIX = {
  account: 'chain',
  validator: 'chainvaloper',
  consensus: 'chainvalcons',
} as const;

/** The last 20 bytes of keccak256 over the 64-byte public key (`publicKey` is uncompressed, 65 bytes). */
export function evmAddressOf(publicKey: Uint8Array): Uint8Array {
  return keccak256(publicKey.subarray(1)).subarray(12);
}

/** ripemd160(sha256(key)) over the compressed public key, 33 bytes. */
export function chainAddressOf(compressedPublicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(compressedPublicKey));
}

/** Of any length, as the Cosmos SDK prints what it is asked to. */
export function toBech32(address: Uint8Array, prefix: string = BECH32_PREFIX.account): string {
  return bech32.encode(prefix, bech32.toWords(address), false);
}

/** Throws ADDRESS_INVALID_BECH32 on a bad checksum, a foreign prefix or a length other than 20 bytes. */
export function fromBech32(text: string, prefix: string = BECH32_PREFIX.account): Uint8Array {
  const decoded = bech32.decodeUnsafe(text as `${string}1${string}`, 1023);
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words);
  if (!decoded || !(bytes instanceof Uint8Array) || decoded.prefix !== prefix || bytes.length !== 20) {
    throw new CodedError('ADDRESS_INVALID_BECH32', `"${text.slice(0, 100)}" is not a ${prefix}1… address`, {
      fields: { address: text.slice(0, 100), prefix },
    });
  }
  return bytes;
}

const LETTER_A = 0x61;
const TO_UPPER = 0x20;

/** EIP-55 mixed-case form. */
export function toChecksumAddress(address: Uint8Array): string {
  const text = Buffer.from(bytesToHex(address), 'latin1');
  const digest = keccak256(text);
  for (let i = 0; i < text.length; i++) {
    const isUpper = (digest[i >> 1]! & (i % 2 === 0 ? 0x80 : 0x08)) !== 0;
    if (isUpper && text[i]! >= LETTER_A) text[i]! -= TO_UPPER;
  }
  return `0x${text.toString('latin1')}`;
}
