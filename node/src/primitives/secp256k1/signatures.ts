/** What is asked of secp256k1 for each transaction. Every form of it gives the same answers. */
export interface Signatures {
  /**
   * Uncompressed public key (65 bytes) that signed the 32-byte digest; `undefined` for an impossible signature.
   * `signature` is r ‖ s, `parity` that of R's y.
   */
  recover(digest: Uint8Array, signature: Uint8Array, parity: 0 | 1): Uint8Array | undefined;
  /** Compact signature with the lower s, by a compressed or uncompressed key; false for what is none. */
  verify(digest: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean;
}

const DIGEST_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Lengths are judged here, for libraries disagree about what they throw. */
export function areBytesOfSignature(digest: Uint8Array, signature: Uint8Array): boolean {
  return digest.length === DIGEST_BYTES && signature.length === SIGNATURE_BYTES;
}

/** A digest, a key and a signature by their lengths. */
export function areBytesToVerify(digest: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean {
  return areBytesOfSignature(digest, signature) && (publicKey.length === 33 || publicKey.length === 65);
}
