import { padLeft, ripemd160, sha256 } from '../../primitives/index.ts';
import { wordsOf } from './input.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

/** 0x02 */
export const sha256Precompile: StandardPrecompile = {
  gas: (input) => 60 + 12 * wordsOf(input),
  run: (input) => sha256(input),
};

/** 0x03 */
export const ripemd160Precompile: StandardPrecompile = {
  gas: (input) => 600 + 120 * wordsOf(input),
  run: (input) => padLeft(ripemd160(input), 32),
};

/** 0x04 */
export const identity: StandardPrecompile = {
  gas: (input) => 15 + 3 * wordsOf(input),
  run: (input) => input,
};
