import { concatBytes } from '../../primitives/index.ts';
import { bytesAt } from './input.ts';
import { modexp } from './modexp.ts';
import { HEADER_BYTES, lengthsOf, modexpGas } from './modexpGas.ts';
import { native, WORK } from './native.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

/** Native code does not ask in the midst of a power: it is given what takes some ten milliseconds at most. */
const MAX_GAS = 1_000_000;
/** Below, the portable code is the faster but for short exponents. */
const MODULUS_BYTES_MIN = 16;
const SHORT_EXPONENT_BYTES = 4;
const MAX_MODULUS_BYTES = 1024;

/** Powers by native code where it is the faster; all others, and all refusals, by the portable code. */
export const nativeModexp: StandardPrecompile['run'] = (input, interrupt, fork) => {
  const { base, exponent, modulus } = lengthsOf(input);
  const isFaster = modulus >= MODULUS_BYTES_MIN || exponent <= SHORT_EXPONENT_BYTES;
  const isShort = Math.max(base, exponent, modulus) <= MAX_MODULUS_BYTES && modexpGas(input, fork) <= MAX_GAS;
  const modulusBytes = isShort ? bytesAt(input, HEADER_BYTES + base + exponent, modulus) : undefined;
  if (!isFaster || !modulusBytes || !isAboveOne(modulusBytes)) return modexp.run(input, interrupt, fork);
  const lengths = new Uint8Array(8);
  new DataView(lengths.buffer).setUint32(0, base);
  new DataView(lengths.buffer).setUint32(4, exponent);
  const numbers = bytesAt(input, HEADER_BYTES, base + exponent + modulus);
  return native(WORK.power, concatBytes(lengths, numbers)) as Uint8Array;
};

function isAboveOne(bytes: Uint8Array): boolean {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first >= 0 && (first < bytes.length - 1 || bytes[first]! > 1);
}
