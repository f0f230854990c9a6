import { SCRATCH } from '../../src/evm/wasm/memory/layout';
import { add, copy, high, isLess, isZero, l0, l1, l2, l3, multiply, negate, put } from './word';

/** Digits of 32 bits: the dividend (up to 17), the divisor (8), the quotient (16). */
const DIVIDEND: u32 = SCRATCH;
const DIVISOR: u32 = SCRATCH + 96;
const QUOTIENT: u32 = SCRATCH + 160;
const LEFT: u32 = SCRATCH + 256;
const RIGHT: u32 = SCRATCH + 288;
const PRODUCT: u32 = SCRATCH + 320;

// @ts-expect-error: decorator
@inline
function digit(at: u32, index: u32): u64 {
  return <u64>load<u32>(at + (index << 2));
}

// @ts-expect-error: decorator
@inline
function setDigit(at: u32, index: u32, value: u64): void {
  store<u32>(at + (index << 2), <u32>value);
}

function digitCount(at: u32, most: u32): u32 {
  let count = most;
  while (count > 0 && load<u32>(at + ((count - 1) << 2)) == 0) count--;
  return count;
}

/**
 * Knuth's algorithm D over 32-bit digits: DIVIDEND (`length` digits, one more of room) by DIVISOR. Leaves the
 * quotient in QUOTIENT and the remainder in the low digits of DIVIDEND.
 */
function divideDigits(length: u32): void {
  memory.fill(QUOTIENT, 0, 68);
  const n = digitCount(DIVISOR, 8);
  const used = digitCount(DIVIDEND, length);
  if (used < n) return;
  if (n == 1) {
    const by = digit(DIVISOR, 0);
    let rest: u64 = 0;
    for (let i: i32 = <i32>used - 1; i >= 0; i--) {
      const part = (rest << 32) | digit(DIVIDEND, i);
      setDigit(QUOTIENT, i, part / by);
      rest = part % by;
      setDigit(DIVIDEND, i, 0);
    }
    setDigit(DIVIDEND, 0, rest);
    return;
  }
  const shift = <u64>clz<u32>(load<u32>(DIVISOR + ((n - 1) << 2)));
  const back = 32 - shift;
  if (shift != 0) {
    for (let i = n - 1; i > 0; i--) setDigit(DIVISOR, i, (digit(DIVISOR, i) << shift) | (digit(DIVISOR, i - 1) >> back));
    setDigit(DIVISOR, 0, digit(DIVISOR, 0) << shift);
    setDigit(DIVIDEND, used, digit(DIVIDEND, used - 1) >> back);
    for (let i = used - 1; i > 0; i--) setDigit(DIVIDEND, i, (digit(DIVIDEND, i) << shift) | (digit(DIVIDEND, i - 1) >> back));
    setDigit(DIVIDEND, 0, digit(DIVIDEND, 0) << shift);
  } else setDigit(DIVIDEND, used, 0);
  const first = digit(DIVISOR, n - 1), second = digit(DIVISOR, n - 2);
  for (let j: i32 = <i32>(used - n); j >= 0; j--) divideStep(<u32>j, n, first, second);
  if (shift != 0) {
    for (let i: u32 = 0; i < n; i++) setDigit(DIVIDEND, i, (digit(DIVIDEND, i) >> shift) | (digit(DIVIDEND, i + 1) << back));
  }
  // What is above is zero: the remainder is below the divisor.
  for (let i = n; i <= used; i++) setDigit(DIVIDEND, i, 0);
}

// @ts-expect-error: decorator
@inline
function divideStep(j: u32, n: u32, first: u64, second: u64): void {
  const top = (digit(DIVIDEND, j + n) << 32) | digit(DIVIDEND, j + n - 1);
  let guess = top / first;
  let rest = top % first;
  while (guess > 0xffffffff || guess * second > ((rest << 32) | digit(DIVIDEND, j + n - 2))) {
    guess--;
    rest += first;
    if (rest > 0xffffffff) break;
  }
  let borrow: i64 = 0;
  let carry: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const product = guess * digit(DIVISOR, i) + carry;
    carry = product >> 32;
    const taken = <i64>digit(DIVIDEND, i + j) - borrow - <i64>(product & 0xffffffff);
    setDigit(DIVIDEND, i + j, <u64>taken);
    borrow = <i64>(taken < 0);
  }
  const taken = <i64>digit(DIVIDEND, j + n) - borrow - <i64>carry;
  setDigit(DIVIDEND, j + n, <u64>taken);
  if (taken < 0) {
    guess--;
    let over: u64 = 0;
    for (let i: u32 = 0; i < n; i++) {
      const sum = digit(DIVIDEND, i + j) + digit(DIVISOR, i) + over;
      setDigit(DIVIDEND, i + j, sum);
      over = sum >> 32;
    }
    setDigit(DIVIDEND, j + n, digit(DIVIDEND, j + n) + over);
  }
  setDigit(QUOTIENT, j, guess);
}

/** Quotient in QUOTIENT, remainder in DIVIDEND; `b` is not zero. */
function divideWords(a: u32, b: u32): void {
  copy(DIVIDEND, a);
  copy(DIVISOR, b);
  divideDigits(8);
}

export function divide(to: u32, a: u32, b: u32): void {
  if ((l1(a) | l2(a) | l3(a) | l1(b) | l2(b) | l3(b)) == 0) {
    const by = l0(b);
    put(to, by == 0 ? 0 : l0(a) / by, 0, 0, 0);
  } else if (isZero(b) || isLess(a, b)) put(to, 0, 0, 0, 0);
  else {
    divideWords(a, b);
    copy(to, QUOTIENT);
  }
}

export function modulo(to: u32, a: u32, b: u32): void {
  if ((l1(a) | l2(a) | l3(a) | l1(b) | l2(b) | l3(b)) == 0) {
    const by = l0(b);
    put(to, by == 0 ? 0 : l0(a) % by, 0, 0, 0);
  } else if (isZero(b)) put(to, 0, 0, 0, 0);
  else if (isLess(a, b)) copy(to, a);
  else {
    divideWords(a, b);
    copy(to, DIVIDEND);
  }
}

function magnitude(to: u32, a: u32): void {
  if (<i64>l3(a) < 0) negate(to, a);
  else copy(to, a);
}

export function divideSigned(to: u32, a: u32, b: u32): void {
  const isNegative = (<i64>(l3(a) ^ l3(b))) < 0;
  magnitude(LEFT, a);
  magnitude(RIGHT, b);
  divide(to, LEFT, RIGHT);
  if (isNegative) negate(to, to);
}

export function moduloSigned(to: u32, a: u32, b: u32): void {
  const isNegative = <i64>l3(a) < 0;
  magnitude(LEFT, a);
  magnitude(RIGHT, b);
  modulo(to, LEFT, RIGHT);
  if (isNegative) negate(to, to);
}

export function addModulo(to: u32, a: u32, b: u32, by: u32): void {
  if (isZero(by)) {
    put(to, 0, 0, 0, 0);
    return;
  }
  add(LEFT, a, b);
  const carry = <u64>isLess(LEFT, a);
  copy(DIVISOR, by);
  copy(DIVIDEND, LEFT);
  store<u64>(DIVIDEND, carry, 32);
  divideDigits(9);
  copy(to, DIVIDEND);
}

/** The whole product, 512 bits, to `to`. */
function multiplyWide(to: u32, a: u32, b: u32): void {
  memory.fill(to, 0, 64);
  for (let i: u32 = 0; i < 4; i++) {
    const x = load<u64>(a + (i << 3));
    let carry: u64 = 0;
    for (let j: u32 = 0; j < 4; j++) {
      const y = load<u64>(b + (j << 3));
      const at = to + ((i + j) << 3);
      const low = x * y;
      const s = load<u64>(at) + low;
      const t = s + carry;
      carry = high(x, y) + <u64>(s < low) + <u64>(t < s);
      store<u64>(at, t);
    }
    store<u64>(to + ((i + 4) << 3), carry);
  }
}

export function multiplyModulo(to: u32, a: u32, b: u32, by: u32): void {
  if (isZero(by)) {
    put(to, 0, 0, 0, 0);
    return;
  }
  multiplyWide(PRODUCT, a, b);
  copy(DIVISOR, by);
  copy(DIVIDEND, PRODUCT);
  copy(DIVIDEND + 32, PRODUCT + 32);
  divideDigits(16);
  copy(to, DIVIDEND);
}

/** Bytes that a number takes; none for zero. */
export function byteLength(a: u32): u32 {
  for (let limb: i32 = 3; limb >= 0; limb--) {
    const value = load<u64>(a + (<u32>limb << 3));
    if (value != 0) return (<u32>limb << 3) + 8 - <u32>(clz<u64>(value) >> 3);
  }
  return 0;
}

export function power(to: u32, base: u32, exponent: u32): void {
  const bits = byteLength(exponent) << 3;
  copy(LEFT, base);
  copy(RIGHT, exponent);
  put(to, 1, 0, 0, 0);
  for (let i: u32 = 0; i < bits; i++) {
    if ((load<u8>(RIGHT + (i >> 3)) >> <u8>(i & 7)) & 1) multiply(to, to, LEFT);
    multiply(LEFT, LEFT, LEFT);
  }
}

