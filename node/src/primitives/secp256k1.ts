import { createRequire } from 'node:module';
import type * as TinySecp256k1 from 'tiny-secp256k1';

// The package's ES module entry loads its WebAssembly by a bundler's rules; the CommonJS one works in Node.
const curve = createRequire(import.meta.url)('tiny-secp256k1') as typeof TinySecp256k1;

/** A compact signature (r ‖ s, 64 bytes) and the parity of R's y. */
export interface RecoverableSignature {
  readonly signature: Uint8Array;
  readonly recoveryId: 0 | 1 | 2 | 3;
}

/** Uncompressed public key (65 bytes) that signed the 32-byte digest; `undefined` for an impossible signature. */
export function recoverPublicKey(
  digest: Uint8Array,
  { signature, recoveryId }: RecoverableSignature,
): Uint8Array | undefined {
  try {
    return curve.recover(digest, signature, recoveryId, false) ?? undefined;
  } catch {
    return undefined;
  }
}

/** RFC 6979, low-s. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  return curve.signRecoverable(digest, privateKey);
}

export function verifyDigest(digest: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean {
  return curve.verify(digest, publicKey, signature, true);
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
