import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { bytesToBigint, bytesToHex } from '../../primitives/index.ts';
import type { EvmHost, EvmMessage } from '../evmEngine.ts';
import { isStandardPrecompile } from '../precompile/standardAddresses.ts';

const { errorMessages } = EVMError;

/** Order of the field that the points of 0x06 to 0x08 lie over (EIP-196). */
const BN254_FIELD = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
const BLAKE2F_INPUT_BYTES = 213;
const ALL_WORDS = Number.POSITIVE_INFINITY;
/** How many of a precompile's input words are coordinates. */
const BN254_COORDINATES: Readonly<Record<number, number>> = { 6: 4, 7: 2, 8: ALL_WORDS };

const WRONG_LENGTH: ReadonlySet<string> = new Set([
  errorMessages.INVALID_INPUT_LENGTH,
  errorMessages.BLS_12_381_INVALID_INPUT_LENGTH,
  errorMessages.BLS_12_381_INPUT_EMPTY,
]);
const BLS_GAS: Readonly<Record<number, bigint>> = { 11: 375n, 13: 600n, 16: 5_500n, 17: 23_800n };
/** Of each point of a multiplication. */
const FIELDS_BEFORE_SCALAR: Readonly<Record<number, number>> = { 12: 2, 14: 4 };
const BLS_TEXT: Readonly<Record<string, string>> = {
  [errorMessages.REVERT]: 'invalid point: not on curve',
  [errorMessages.BLS_12_381_POINT_NOT_ON_CURVE]: 'invalid point: not on curve',
  [errorMessages.BLS_12_381_FP_NOT_IN_FIELD]: 'invalid fp.Element encoding',
  [errorMessages.BLS_12_381_INPUT_EMPTY]: 'invalid input length',
};

/**
 * What a standard precompile that was called by the transaction itself found wrong, in geth's words. They fail and
 * never revert, whatever the library says. `undefined` for any other callee, and for out of gas.
 */
export function precompileErrorOf(
  { exceptionError }: ExecResult,
  { to, data, gasLimit }: Pick<EvmMessage, 'to' | 'data' | 'gasLimit'>,
  { precompiles, block }: Pick<EvmHost, 'precompiles' | 'block'>,
): string | undefined {
  const error = exceptionError?.error;
  if (error === undefined || error === errorMessages.OUT_OF_GAS) return undefined;
  if (!to || !isStandardPrecompile(to, block.fork) || precompiles.has(bytesToHex(to))) return undefined;
  const number = to[19]!;
  if (gasLimit < leastGas(number, data.length)) return 'out of gas';
  if (BN254_COORDINATES[number]) return bn254Error(error, number, data);
  if (number === 0x09) {
    return data.length === BLAKE2F_INPUT_BYTES ? 'invalid final flag' : 'invalid input length';
  }
  if (number === 0x0a) return kzgError(error);
  if (!WRONG_LENGTH.has(error) && hasHighField(number, data)) {
    return 'invalid field element top bytes';
  }
  return BLS_TEXT[error] ?? error;
}

function kzgError(error: string): string {
  if (error === errorMessages.INVALID_COMMITMENT) return 'mismatched versioned hash';
  return error === errorMessages.INVALID_INPUT_LENGTH ? error : 'error verifying kzg proof';
}

/** Field elements of BLS12-381 fill the last 48 of their 64 bytes. */
function hasHighField(number: number, data: Uint8Array): boolean {
  const fields = FIELDS_BEFORE_SCALAR[number];
  const stride = fields ? fields * 64 + 32 : 64;
  for (let item = 0; item < data.length; item += stride) {
    for (let at = item; at < item + (fields ?? 1) * 64; at += 64) {
      if (data.subarray(at, at + 16).some((byte) => byte !== 0)) return true;
    }
  }
  return false;
}

/** Gas is taken before the input is looked at; of long lists of points this counts the first alone. */
function leastGas(number: number, length: number): bigint {
  const pairs = (bytes: number): bigint => BigInt(Math.floor(length / bytes));
  const first = (bytes: number, gas: bigint): bigint => (length >= bytes ? gas : 0n);
  if (number === 0x08) return 45_000n + 34_000n * pairs(192);
  if (number === 0x0a) return 50_000n;
  if (number === 0x0c) return first(160, 12_000n);
  if (number === 0x0e) return first(288, 22_500n);
  if (number === 0x0f) return 37_700n + 32_600n * pairs(384);
  return BLS_GAS[number] ?? 0n;
}

function bn254Error(error: string, number: number, data: Uint8Array): string {
  if (error === errorMessages.INVALID_INPUT_LENGTH) return 'bad elliptic curve pairing size';
  const end = Math.min(data.length, 32 * BN254_COORDINATES[number]!);
  for (let at = 0; at < end; at += 32) {
    const word = Buffer.alloc(32);
    word.set(data.subarray(at, at + 32));
    if (bytesToBigint(word) >= BN254_FIELD) return 'invalid fp.Element encoding';
  }
  return 'point is not on curve';
}
