import { bigintToFixedBytes, bytesToBigint } from '../../primitives/index.ts';
import { hasFork } from '../fork/evmFork.ts';
import { bytesAt } from './input.ts';
import { HEADER_BYTES, lengthsOf, modexpGas } from './modexpGas.ts';
import { power } from './power.ts';
import { NO_BYTES, type StandardPrecompile } from './standardPrecompile.ts';

/** EIP-7823 */
const MAX_BYTES = 1024;

/** 0x05 (EIP-198): the lengths of base, exponent and modulus, and these. */
export const modexp: StandardPrecompile = {
  gas: modexpGas,
  run: (input, interrupt, fork) => {
    const { base, exponent, modulus } = lengthsOf(input);
    if (hasFork(fork, 'osaka') && Math.max(base, exponent, modulus) > MAX_BYTES) {
      return `one or more of base/exponent/modulus length exceeded ${MAX_BYTES} bytes`;
    }
    // Whatever the exponent: its length costs nothing here, so nothing of its size may be made.
    if (base === 0 && modulus === 0) return NO_BYTES;
    const exponentAt = HEADER_BYTES + base;
    const divisor = bytesToBigint(bytesAt(input, exponentAt + exponent, modulus));
    if (divisor <= 1n) return new Uint8Array(modulus);
    const value = power(
      {
        base: bytesToBigint(bytesAt(input, HEADER_BYTES, base)) % divisor,
        exponent: bytesAt(input, exponentAt, exponent),
        modulus: divisor,
      },
      { interrupt, gas: modexpGas(input, fork) },
    );
    return bigintToFixedBytes(value, modulus);
  },
};
