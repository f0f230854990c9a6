import { EXPONENT, MODULUS, POWER, TABLE } from './powerLayout';

/** As montgomery.ts, for a modulus of 64 bits: gas counts such a power as almost nothing, however long the exponent. */
const WORDS: u32 = 0x3300;

let modulus: u64 = 0;
/** modulus⁻¹ modulo 2⁶⁴. */
let inverse: u64 = 0;

export function wordBegin(): void {
  modulus = load<u64>(MODULUS);
  inverse = modulus;
  for (let i = 0; i < 5; i++) inverse *= 2 - modulus * inverse;
  const base = load<u64>(TABLE, 256);
  let power = load<u64>(TABLE);
  store<u64>(POWER, power);
  for (let i: u32 = 0; i < 128; i += 8) {
    store<u64>(WORDS + i, power);
    power = multiply(power, base);
  }
}

export function wordBytes(length: u32): void {
  let power = load<u64>(POWER);
  const end = EXPONENT + length;
  for (let at = EXPONENT; at < end; at++) {
    const byte: u32 = load<u8>(at);
    power = window(power, byte >> 4);
    power = window(power, byte & 15);
  }
  store<u64>(POWER, power);
}

export function wordEnd(): void {
  store<u64>(POWER, multiply(load<u64>(POWER), 1));
}

// @ts-expect-error: decorator
@inline
function window(power: u64, bits: u32): u64 {
  power = square(square(square(square(power))));
  return bits === 0 ? power : multiply(power, load<u64>(WORDS + (bits << 3)));
}

// @ts-expect-error: decorator
@inline
function multiply(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const b0 = b & 0xffffffff;
  const b1 = b >> 32;
  return reduce(a0 * b0, a0 * b1, a1 * b0, a1 * b1);
}

// @ts-expect-error: decorator
@inline
function square(a: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const cross = a0 * a1;
  return reduce(a0 * a0, cross, cross, a1 * a1);
}

/** (low + (left + right) · 2³² + high · 2⁶⁴) / 2⁶⁴ modulo the modulus. */
// @ts-expect-error: decorator
@inline
function reduce(low: u64, left: u64, right: u64, high: u64): u64 {
  const quotient = (low + ((left + right) << 32)) * inverse;
  const product = upper(low, left, right, high);
  const q0 = quotient & 0xffffffff;
  const q1 = quotient >> 32;
  const m0 = modulus & 0xffffffff;
  const m1 = modulus >> 32;
  const multiple = upper(q0 * m0, q0 * m1, q1 * m0, q1 * m1);
  return product - multiple + (product < multiple ? modulus : 0);
}

/** The upper 64 of the 128 bits. */
// @ts-expect-error: decorator
@inline
function upper(low: u64, left: u64, right: u64, high: u64): u64 {
  const middle = left + (low >> 32);
  return high + (middle >> 32) + ((right + (middle & 0xffffffff)) >> 32);
}
