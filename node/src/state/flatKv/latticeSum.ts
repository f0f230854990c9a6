import { blake3 } from '@noble/hashes/blake3.js';

/** A sum is 1024 unsigned 16-bit limbs, each little-endian, in order. */
export const SUM_BYTES = 2048;

/** Limb by limb, modulo 2^16. */
export function sumOf(sums: readonly Uint8Array[]): Uint8Array {
  const limbs = new Uint16Array(SUM_BYTES / 2);
  for (const sum of sums) {
    const view = new DataView(sum.buffer, sum.byteOffset, SUM_BYTES);
    for (let i = 0; i < limbs.length; i++) limbs[i]! += view.getUint16(2 * i, true);
  }
  const total = new Uint8Array(SUM_BYTES);
  const view = new DataView(total.buffer);
  for (const [i, limb] of limbs.entries()) view.setUint16(2 * i, limb, true);
  return total;
}

/** What stands for a sum: its BLAKE3, 32 bytes. */
export function latticeHash(sum: Uint8Array): Uint8Array {
  return blake3(sum);
}
