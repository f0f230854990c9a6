import { bytesAt } from './input.ts';
import { modexp } from './modexp.ts';
import { HEADER_BYTES, lengthsOf, modexpGas } from './modexpGas.ts';
import { native, WORK } from './native.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

/** Native code does not ask in the midst of a power: it is given what takes some ten milliseconds at most. */
const MAX_GAS = 1_000_000;
const MAX_MODULUS_BYTES = 1024;

/** Short powers by native code; long ones, and all refusals, by the portable code. */
export const nativeModexp: StandardPrecompile['run'] = (input, interrupt, fork) => {
  const { base, exponent, modulus } = lengthsOf(input);
  const isShort = Math.max(base, exponent, modulus) <= MAX_MODULUS_BYTES && modexpGas(input, fork) <= MAX_GAS;
  if (!isShort || modulus === 0) return modexp.run(input, interrupt, fork);
  return native(WORK.power, bytesAt(input, 0, HEADER_BYTES + base + exponent + modulus)) as Uint8Array;
};
