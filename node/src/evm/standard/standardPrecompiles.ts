import { bytesToHex } from '../../primitives/index.ts';
import type { EvmFork } from '../fork/evmFork.ts';
import { standardPrecompileAddresses } from '../precompile/standardAddresses.ts';
import { blake2f } from './blake2f.ts';
import {
  blsG1Add,
  blsG1Msm,
  blsG2Add,
  blsG2Msm,
  blsMapToG1,
  blsMapToG2,
  blsPairing,
} from './blsPrecompiles.ts';
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts';
import { ecrecover } from './ecrecover.ts';
import { identity, ripemd160Precompile, sha256Precompile } from './hashes.ts';
import { modexp } from './modexp.ts';
import { hasNative } from './native.ts';
import { NATIVE_RUNS } from './nativePrecompiles.ts';
import { p256verify } from './p256verify.ts';
import { pointEvaluation } from './pointEvaluation.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

/** By the last two bytes of their addresses. */
const PRECOMPILES: ReadonlyMap<number, StandardPrecompile> = new Map([
  [0x01, ecrecover],
  [0x02, sha256Precompile],
  [0x03, ripemd160Precompile],
  [0x04, identity],
  [0x05, modexp],
  [0x06, bn254Add],
  [0x07, bn254Mul],
  [0x08, bn254Pairing],
  [0x09, blake2f],
  [0x0a, pointEvaluation],
  [0x0b, blsG1Add],
  [0x0c, blsG1Msm],
  [0x0d, blsG2Add],
  [0x0e, blsG2Msm],
  [0x0f, blsPairing],
  [0x10, blsMapToG1],
  [0x11, blsMapToG2],
  [0x0100, p256verify],
]);

export type StandardPrecompiles = ReadonlyMap<string, StandardPrecompile>;

/** The same by native code, as far as the addon has them. */
const NATIVE: ReadonlyMap<number, StandardPrecompile> = new Map(
  [...PRECOMPILES].map(([number, portable]) => {
    const run = NATIVE_RUNS.get(number);
    return [number, run ? { gas: portable.gas, run } : portable];
  }),
);

/** Native where there is a binary for this system; `portable` is the same everywhere. */
export type PrecompileForm = 'native' | 'portable';

/** Those of a fork by address, lower-case hex without prefix. */
export function standardPrecompilesOf(
  fork: EvmFork,
  form: PrecompileForm = hasNative ? 'native' : 'portable',
): StandardPrecompiles {
  const table = form === 'native' ? NATIVE : PRECOMPILES;
  return new Map(
    standardPrecompileAddresses(fork).map((address) => {
      const precompile = table.get(address[18]! * 0x100 + address[19]!)!;
      return [bytesToHex(address), precompile];
    }),
  );
}
