import { BLAKE2_H, BLAKE2_M, BLAKE2_T, fastCode } from './fastCode.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

const INPUT_BYTES = 213;
/** Some three milliseconds. */
const ROUNDS_A_QUESTION = 1 << 18;

/** 0x09 (EIP-152): rounds ‖ h ‖ m ‖ t ‖ final flag. */
export const blake2f: StandardPrecompile = {
  gas: (input) => (input.length === INPUT_BYTES ? roundsOf(input) : 0),
  run: (input, interrupt) => {
    if (input.length !== INPUT_BYTES) return 'invalid input length';
    const flag = input[INPUT_BYTES - 1]!;
    if (flag > 1) return 'invalid final flag';
    const { bytes, blake2Begin, blake2Rounds, blake2End } = fastCode;
    bytes.set(input.subarray(4, 68), BLAKE2_H);
    bytes.set(input.subarray(68, 196), BLAKE2_M);
    bytes.set(input.subarray(196, 212), BLAKE2_T);
    blake2Begin(flag);
    const rounds = roundsOf(input);
    for (let from = 0; from < rounds; from += ROUNDS_A_QUESTION) {
      const to = Math.min(rounds, from + ROUNDS_A_QUESTION);
      if (from > 0) interrupt(to - from);
      blake2Rounds(from, to);
    }
    blake2End();
    return bytes.slice(BLAKE2_H, BLAKE2_H + 64);
  },
};

function roundsOf(input: Uint8Array): number {
  return ((input[0]! << 24) | (input[1]! << 16) | (input[2]! << 8) | input[3]!) >>> 0;
}
