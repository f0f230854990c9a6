import { loadOrFallBack } from '../nativeLibrary.ts';
import { loadNativeSignatures } from './native.ts';
import { curve, webAssemblySignatures } from './webAssembly.ts';

/** A compact signature (r ‖ s, 64 bytes) and the parity of R's y; above 1 when R's x is beyond the order. */
export interface RecoverableSignature {
  readonly signature: Uint8Array;
  readonly recoveryId: 0 | 1 | 2 | 3;
}

const { form: signatures, missing } = loadOrFallBack(
  'secp256k1',
  loadNativeSignatures,
  webAssemblySignatures,
);

/** Set where signatures are judged in WebAssembly, for want of a binary. */
export const missingSecp256k1 = missing;

/**
 * Uncompressed public key (65 bytes) that signed the 32-byte digest; `undefined` for an impossible signature, and for
 * a recovery id above 1, which Ethereum does not have.
 */
export function recoverPublicKey(
  digest: Uint8Array,
  { signature, recoveryId }: RecoverableSignature,
): Uint8Array | undefined {
  return recoveryId > 1 ? undefined : signatures.recover(digest, signature, recoveryId as 0 | 1);
}

/** RFC 6979, low-s. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  return curve.signRecoverable(digest, privateKey);
}

/** Whether it is the key's; a high s, and a key or numbers outside the curve, are not. */
export function verifyDigest(digest: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean {
  return signatures.verify(digest, publicKey, signature);
}

/** Compressed (33 bytes) or not (65); `undefined` when the key is not in 1 … n−1. */
export function publicKeyOf(privateKey: Uint8Array, compressed: boolean): Uint8Array | undefined {
  return curve.isPrivate(privateKey)
    ? (curve.pointFromScalar(privateKey, compressed) ?? undefined)
    : undefined;
}

export function compressPublicKey(publicKey: Uint8Array): Uint8Array {
  return curve.pointCompress(publicKey, true);
}

export function uncompressPublicKey(publicKey: Uint8Array): Uint8Array {
  return curve.pointCompress(publicKey, false);
}
