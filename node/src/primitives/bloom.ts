import { keccak256 } from './keccak.ts';

export const BLOOM_BYTES = 256;

/** Adds an address or a topic to an Ethereum log bloom (yellow paper, 4.3.1). */
export function addToBloom(bloom: Uint8Array, item: Uint8Array): void {
  for (const bit of bloomBits(item)) bloom[BLOOM_BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
}

/** False means: certainly not in the bloom. */
export function bloomMayContain(bloom: Uint8Array, item: Uint8Array): boolean {
  return bloomBits(item).every((bit) => (bloom[BLOOM_BYTES - 1 - (bit >> 3)]! & (1 << (bit & 7))) !== 0);
}

export function mergeBloom(into: Uint8Array, from: Uint8Array): void {
  for (let i = 0; i < BLOOM_BYTES; i++) into[i]! |= from[i]!;
}

/** The three bit numbers of an item; worth keeping when many blooms are asked for the same one. */
function bloomBits(item: Uint8Array): [number, number, number] {
  const digest = keccak256(item);
  const bit = (i: number) => ((digest[i]! << 8) | digest[i + 1]!) & 2047;
  return [bit(0), bit(2), bit(4)];
}
