import { bigintToFixedBytes, bytesToBigint } from '../../primitives/index.ts';
import type { Interrupt } from '../evmEngine.ts';
import {
  fastCode,
  POWER,
  POWER_EXPONENT,
  POWER_EXPONENT_BYTES,
  POWER_MODULUS,
  POWER_OF_0,
  POWER_OF_1,
} from './fastCode.ts';

interface Power {
  readonly base: bigint;
  /** Big-endian, with leading zeros or without. */
  readonly exponent: Uint8Array;
  /** Above 1. */
  readonly modulus: bigint;
}

/** Who is asked between stretches, and what the whole costs. */
interface Pace {
  readonly interrupt: Interrupt;
  readonly gas: number;
}

/** Beyond, bigints are as fast. */
const MAX_LIMBS = 64;
/** Exponents of so many bytes are powered by bigints: the way into WebAssembly and back costs more. */
const FEW_BYTES = 2;
const GAS_A_QUESTION = 100_000;

/** base ^ exponent modulo modulus, in time that follows from the sizes alone: also for even moduli. */
export function power({ base, exponent, modulus }: Power, pace: Pace): bigint {
  const first = exponent.findIndex((byte) => byte !== 0);
  if (first < 0) return 1n;
  const digits = exponent.subarray(first);
  if (digits.length <= FEW_BYTES) return powerOfBigints(base, digits, modulus, pace);
  const twos = trailingZeros(modulus);
  const odd = modulus >> twos;
  const byOdd = odd === 1n ? 0n : oddPower(base % odd, digits, odd, pace);
  if (twos === 0n) return byOdd;
  // The two remainders belong to one number below odd · 2^twos.
  const byTwos = powerOfTwos(base, digits, twos, pace);
  const difference = BigInt.asUintN(Number(twos), (byTwos - byOdd) * inverseOfOdd(odd, twos));
  return byOdd + odd * difference;
}

function oddPower(base: bigint, digits: Uint8Array, modulus: bigint, pace: Pace): bigint {
  const limbs = Math.max(2, Math.ceil(modulus.toString(16).length / 8));
  if (limbs > MAX_LIMBS) return powerOfBigints(base, digits, modulus, pace);
  const { bytes, powerBegin, powerBytes, powerEnd } = fastCode;
  const size = limbs * 4;
  const shift = BigInt(size * 8);
  const put = (at: number, value: bigint): void => {
    bytes.set(bigintToFixedBytes(value, size).reverse(), at);
  };
  put(POWER_MODULUS, modulus);
  put(POWER_OF_0, (1n << shift) % modulus);
  put(POWER_OF_1, (base << shift) % modulus);
  powerBegin(limbs);
  const stretch = stretchOf(digits.length, pace, POWER_EXPONENT_BYTES);
  for (let at = 0; at < digits.length; at += stretch) {
    if (at > 0) pace.interrupt(GAS_A_QUESTION);
    const part = digits.subarray(at, at + stretch);
    bytes.set(part, POWER_EXPONENT);
    powerBytes(part.length);
  }
  powerEnd();
  return bytesToBigint(bytes.slice(POWER, POWER + size).reverse());
}

/** A power modulo 2^twos has no more than `twos` digits that matter of its exponent. */
function powerOfTwos(base: bigint, digits: Uint8Array, twos: bigint, pace: Pace): bigint {
  const bits = Number(twos);
  const modulus = 1n << twos;
  if (base % 2n === 1n) {
    // Powers of an odd number repeat after 2^(twos − 2), which divides 2^twos.
    const kept = digits.subarray(-Math.ceil(bits / 8));
    return powerOfBigints(base % modulus, kept, modulus, pace);
  }
  if (digits.length > 4) return 0n;
  const exponent = bytesToBigint(digits);
  return exponent >= twos ? 0n : powerOfBigints(base % modulus, digits, modulus, pace);
}

/** By windows of four bits. */
function powerOfBigints(base: bigint, digits: Uint8Array, modulus: bigint, pace: Pace): bigint {
  if (digits.length === 1) return powerOfBits(base, digits[0]!, modulus);
  const table = [1n, base];
  for (let i = 2; i < 16; i++) table.push((table[i - 1]! * base) % modulus);
  const stretch = stretchOf(digits.length, pace);
  let result = 1n;
  for (const [at, byte] of digits.entries()) {
    if (at > 0 && at % stretch === 0) pace.interrupt(GAS_A_QUESTION);
    for (const bits of [byte >> 4, byte & 15]) {
      for (let i = 0; i < 4; i++) result = (result * result) % modulus;
      if (bits !== 0) result = (result * table[bits]!) % modulus;
    }
  }
  return result;
}

function powerOfBits(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n;
  for (let bit = 31 - Math.clz32(exponent); bit >= 0; bit--) {
    result = (result * result) % modulus;
    if ((exponent >> bit) & 1) result = (result * base) % modulus;
  }
  return result % modulus;
}

/** Bytes of the exponent between two questions. */
function stretchOf(length: number, { gas }: Pace, most = length): number {
  return Math.max(1, Math.min(most, Math.floor((length * GAS_A_QUESTION) / gas)));
}

function trailingZeros(value: bigint): bigint {
  let zeros = 0n;
  let rest = value;
  while (BigInt.asUintN(64, rest) === 0n) {
    rest >>= 64n;
    zeros += 64n;
  }
  while ((rest & 1n) === 0n) {
    rest >>= 1n;
    zeros++;
  }
  return zeros;
}

/** value⁻¹ modulo 2^bits: each turn of Newton's iteration doubles the bits that are right. */
function inverseOfOdd(value: bigint, bits: bigint): bigint {
  let inverse = 1n;
  for (let right = 1; right < Number(bits); right *= 2) {
    inverse = BigInt.asUintN(Math.min(right * 2, Number(bits)), inverse * (2n - value * inverse));
  }
  return inverse;
}
