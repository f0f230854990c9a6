import { CodedError } from '@chain/platform';
import { chainAddressOf, evmAddressOf, publicKeyOf, uncompressPublicKey } from '../primitives/index.ts';

/** One secp256k1 key and its two addresses (spec L-1, Identity). */
export interface AccountKey {
  /** 32 bytes. Secret. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
}

/** Throws KEYS_PRIVATE_KEY_INVALID, which does not repeat the key. */
export function accountFromPrivateKey(privateKey: Uint8Array): AccountKey {
  const publicKey = privateKey.length === 32 ? publicKeyOf(privateKey, true) : undefined;
  if (!publicKey) {
    throw new CodedError(
      'KEYS_PRIVATE_KEY_INVALID',
      'not a secp256k1 private key: want 32 bytes as 64 hex digits, not zero and below the curve order',
    );
  }
  return { privateKey, publicKey, ...addressesOf(publicKey) };
}

/** Both addresses of a compressed public key. */
export function addressesOf(publicKey: Uint8Array): { evmAddress: Uint8Array; chainAddress: Uint8Array } {
  const uncompressed = uncompressPublicKey(publicKey);
  if (!uncompressed) throw new CodedError('KEYS_PUBLIC_KEY_INVALID', 'not a compressed secp256k1 public key');
  return { evmAddress: evmAddressOf(uncompressed), chainAddress: chainAddressOf(publicKey) };
}
