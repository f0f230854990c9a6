import { type EvmFork, hasFork } from '../fork/evmFork.ts';
import { bytesAt } from './input.ts';

/** Lengths of base, exponent and modulus, in bytes; `Infinity` for what no input can hold. */
export interface ModexpLengths {
  readonly base: number;
  readonly exponent: number;
  readonly modulus: number;
}

export const HEADER_BYTES = 96;
const HEAD_BYTES = 32;

export function lengthsOf(input: Uint8Array): ModexpLengths {
  return { base: lengthAt(input, 0), exponent: lengthAt(input, 32), modulus: lengthAt(input, 64) };
}

/** EIP-2565, and from Osaka on EIP-7883. */
export function modexpGas(input: Uint8Array, fork: EvmFork): number {
  const { base, exponent, modulus } = lengthsOf(input);
  const longest = Math.max(base, modulus);
  const words = Math.ceil(longest / 8);
  if (!hasFork(fork, 'osaka')) {
    return priced(200, words * words, iterations(input, { base, exponent }, 8), 3);
  }
  const perIteration = longest > 32 ? 2 * words * words : 16;
  return priced(500, perIteration, iterations(input, { base, exponent }, 16), 1);
}

function priced(least: number, perIteration: number, count: number, divisor: number): number {
  // No iteration costs nothing for ever, also where there are very many.
  const gas = perIteration === 0 ? 0 : perIteration * count;
  if (gas <= Number.MAX_SAFE_INTEGER) return Math.max(least, Math.floor(gas / divisor));
  return Number.POSITIVE_INFINITY;
}

/** Bits of the exponent behind its first one, or as many as its length may have. */
function iterations(
  input: Uint8Array,
  { base, exponent }: Pick<ModexpLengths, 'base' | 'exponent'>,
  perByte: number,
): number {
  const start = HEADER_BYTES + base;
  const head =
    start < input.length ? bytesAt(input, start, Math.min(exponent, HEAD_BYTES)) : new Uint8Array(0);
  const bits = bitLength(head) - 1;
  return Math.max(1, Math.max(0, exponent - HEAD_BYTES) * perByte + Math.max(0, bits));
}

function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first]!) - 24);
}

function lengthAt(input: Uint8Array, at: number): number {
  const word = bytesAt(input, at, 32);
  for (let i = 0; i < 26; i++) if (word[i] !== 0) return Number.POSITIVE_INFINITY;
  let length = 0;
  for (let i = 26; i < 32; i++) length = length * 256 + word[i]!;
  return length;
}
