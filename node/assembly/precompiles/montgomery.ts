import { wordBegin, wordBytes, wordEnd } from './montgomeryWord';
import { EXPONENT, MODULUS, POWER, TABLE } from './powerLayout';

/**
 * Powers modulo an odd number of 2 to 64 limbs of 32 bits, by Montgomery multiplication and windows of four bits.
 * The host writes modulus, one and base (both times 2^(32·limbs)) and the exponent's bytes, and reads the power.
 */
const ENTRY: u32 = 256;
const SUM: u32 = 0x3200;

let limbs: u32 = 0;
/** −modulus⁻¹ modulo 2³². */
let inverse: u32 = 0;

/** Fills the table; the power begins as one. */
export function powerBegin(limbsOfModulus: u32): void {
  limbs = limbsOfModulus;
  const low = load<u32>(MODULUS);
  // Newton's iteration doubles the bits that are right; an odd number is its own inverse to three bits.
  let found = low;
  for (let i = 0; i < 4; i++) found *= 2 - low * found;
  inverse = 0 - found;
  if (limbs === 2) return wordBegin();
  for (let i: u32 = 2; i < 16; i++) multiply(TABLE + i * ENTRY, TABLE + (i - 1) * ENTRY, TABLE + ENTRY);
  memory.copy(POWER, TABLE, limbs << 2);
}

/** Goes on with so many bytes of the exponent, most significant first. */
export function powerBytes(length: u32): void {
  if (limbs === 2) return wordBytes(length);
  for (let at: u32 = 0; at < length; at++) {
    const byte: u32 = load<u8>(EXPONENT + at);
    window(byte >> 4);
    window(byte & 15);
  }
}

/** Takes the power out of Montgomery's form. */
export function powerEnd(): void {
  if (limbs === 2) return wordEnd();
  memory.fill(TABLE, 0, limbs << 2);
  store<u32>(TABLE, 1);
  multiply(POWER, POWER, TABLE);
}

function window(bits: u32): void {
  multiply(POWER, POWER, POWER);
  multiply(POWER, POWER, POWER);
  multiply(POWER, POWER, POWER);
  multiply(POWER, POWER, POWER);
  if (bits !== 0) multiply(POWER, POWER, TABLE + bits * ENTRY);
}

/** `to` = a · b / 2^(32·limbs) modulo the modulus, both below it. `to` may be one of them. */
function multiply(to: u32, a: u32, b: u32): void {
  const size = limbs << 2;
  // A loop: the instructions for memory cost more than these few words.
  for (let j: u32 = 0; j < size; j += 4) store<u32>(SUM + j, 0);
  /** Above the sum's limbs: never more than one bit. */
  let top: u64 = 0;
  for (let i: u32 = 0; i < size; i += 4) {
    const factor = <u64>load<u32>(a + i);
    let low = <u64>load<u32>(SUM) + factor * <u64>load<u32>(b);
    const quotient = <u64>(<u32>low * inverse);
    let reduced = <u64>(<u32>low) + quotient * <u64>load<u32>(MODULUS);
    let carry = low >> 32;
    let borrowed = reduced >> 32;
    for (let j: u32 = 4; j < size; j += 4) {
      low = <u64>load<u32>(SUM + j) + factor * <u64>load<u32>(b + j) + carry;
      carry = low >> 32;
      reduced = <u64>(<u32>low) + quotient * <u64>load<u32>(MODULUS + j) + borrowed;
      borrowed = reduced >> 32;
      store<u32>(SUM + j - 4, <u32>reduced);
    }
    top += carry + borrowed;
    store<u32>(SUM + size - 4, <u32>top);
    top >>= 32;
  }
  subtractModulus(to, size, top);
}

/** The sum less the modulus where it is not below it. */
function subtractModulus(to: u32, size: u32, top: u64): void {
  let borrow: u64 = 0;
  for (let j: u32 = 0; j < size; j += 4) {
    const difference = <u64>load<u32>(SUM + j) - <u64>load<u32>(MODULUS + j) - borrow;
    store<u32>(to + j, <u32>difference);
    borrow = (difference >> 32) & 1;
  }
  if (borrow <= top) return;
  for (let j: u32 = 0; j < size; j += 4) store<u32>(to + j, load<u32>(SUM + j));
}
