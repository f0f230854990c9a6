import { bigintToFixedBytes, concatBytes, evmAddressOf, recoverPublicKey } from '../../primitives/index.ts';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HALF_ORDER = CURVE_ORDER / 2n;

/** r and s of a signature and the parity of its point. */
export interface SignatureParts {
  readonly yParity: bigint | number;
  readonly r: bigint;
  readonly s: bigint;
}

/** In range and with the lower s (EIP-2). */
function isValidSignature({ yParity, r, s }: SignatureParts): boolean {
  return r > 0n && r < CURVE_ORDER && s > 0n && s <= HALF_ORDER && BigInt(yParity) <= 1n;
}

/** What the curve is asked: r ‖ s (64 bytes) and the parity; `undefined` when the signature is impossible or has a high s. */
export function curveSignature(
  parts: SignatureParts,
): { readonly signature: Uint8Array; readonly parity: 0 | 1 } | undefined {
  if (!isValidSignature(parts)) return undefined;
  const signature = concatBytes(bigintToFixedBytes(parts.r, 32), bigintToFixedBytes(parts.s, 32));
  return { signature, parity: Number(parts.yParity) === 0 ? 0 : 1 };
}

/** Uncompressed public key (65 bytes), or `undefined` when the signature is impossible or has a high s. */
export function recoverSigner(digest: Uint8Array, parts: SignatureParts): Uint8Array | undefined {
  const asked = curveSignature(parts);
  return asked && recoverPublicKey(digest, { signature: asked.signature, recoveryId: asked.parity });
}

export function recoverAddress(digest: Uint8Array, parts: SignatureParts): Uint8Array | undefined {
  const publicKey = recoverSigner(digest, parts);
  return publicKey && evmAddressOf(publicKey);
}
