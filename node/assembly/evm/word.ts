/** 256-bit numbers at addresses of linear memory: four u64 limbs, the lowest first. */

// @ts-expect-error: decorator
@inline
export function l0(at: u32): u64 { return load<u64>(at); }
// @ts-expect-error: decorator
@inline
export function l1(at: u32): u64 { return load<u64>(at, 8); }
// @ts-expect-error: decorator
@inline
export function l2(at: u32): u64 { return load<u64>(at, 16); }
// @ts-expect-error: decorator
@inline
export function l3(at: u32): u64 { return load<u64>(at, 24); }

// @ts-expect-error: decorator
@inline
export function put(at: u32, a: u64, b: u64, c: u64, d: u64): void {
  store<u64>(at, a);
  store<u64>(at, b, 8);
  store<u64>(at, c, 16);
  store<u64>(at, d, 24);
}

// @ts-expect-error: decorator
@inline
export function copy(to: u32, from: u32): void {
  put(to, l0(from), l1(from), l2(from), l3(from));
}

// @ts-expect-error: decorator
@inline
export function isZero(at: u32): bool {
  return (l0(at) | l1(at) | l2(at) | l3(at)) == 0;
}

// @ts-expect-error: decorator
@inline
export function isEqual(a: u32, b: u32): bool {
  return ((l0(a) ^ l0(b)) | (l1(a) ^ l1(b)) | (l2(a) ^ l2(b)) | (l3(a) ^ l3(b))) == 0;
}

// @ts-expect-error: decorator
@inline
export function isLess(a: u32, b: u32): bool {
  if (l3(a) != l3(b)) return l3(a) < l3(b);
  if (l2(a) != l2(b)) return l2(a) < l2(b);
  if (l1(a) != l1(b)) return l1(a) < l1(b);
  return l0(a) < l0(b);
}

// @ts-expect-error: decorator
@inline
export function isLessSigned(a: u32, b: u32): bool {
  if (l3(a) != l3(b)) return <i64>l3(a) < <i64>l3(b);
  if (l2(a) != l2(b)) return l2(a) < l2(b);
  if (l1(a) != l1(b)) return l1(a) < l1(b);
  return l0(a) < l0(b);
}

// @ts-expect-error: decorator
@inline
export function swapBytes(x: u64): u64 {
  let v = ((x >> 8) & 0x00ff00ff00ff00ff) | ((x & 0x00ff00ff00ff00ff) << 8);
  v = ((v >> 16) & 0x0000ffff0000ffff) | ((v & 0x0000ffff0000ffff) << 16);
  return (v >> 32) | (v << 32);
}

/** 32 big-endian bytes at `from` to a word. */
// @ts-expect-error: decorator
@inline
export function readBytes(to: u32, from: u32): void {
  const d = swapBytes(l0(from));
  const c = swapBytes(l1(from));
  const b = swapBytes(l2(from));
  put(to, swapBytes(l3(from)), b, c, d);
}

/** A word to 32 big-endian bytes. */
// @ts-expect-error: decorator
@inline
export function writeBytes(to: u32, from: u32): void {
  const d = swapBytes(l0(from));
  const c = swapBytes(l1(from));
  const b = swapBytes(l2(from));
  put(to, swapBytes(l3(from)), b, c, d);
}

export function add(to: u32, a: u32, b: u32): void {
  const x0 = l0(a), x1 = l1(a), x2 = l2(a);
  const s0 = x0 + l0(b);
  const c0 = <u64>(s0 < x0);
  const t1 = x1 + l1(b);
  const s1 = t1 + c0;
  const c1 = <u64>(t1 < x1) | <u64>(s1 < t1);
  const t2 = x2 + l2(b);
  const s2 = t2 + c1;
  const c2 = <u64>(t2 < x2) | <u64>(s2 < t2);
  put(to, s0, s1, s2, l3(a) + l3(b) + c2);
}

/** a − b */
export function subtract(to: u32, a: u32, b: u32): void {
  const x0 = l0(a), x1 = l1(a), x2 = l2(a), y0 = l0(b), y1 = l1(b), y2 = l2(b);
  const b0 = <u64>(x0 < y0);
  const t1 = x1 - y1;
  const b1 = <u64>(x1 < y1) | <u64>(t1 < b0);
  const t2 = x2 - y2;
  const b2 = <u64>(x2 < y2) | <u64>(t2 < b1);
  put(to, x0 - y0, t1 - b0, t2 - b1, l3(a) - l3(b) - b2);
}

export function negate(to: u32, a: u32): void {
  const n0 = ~l0(a) + 1;
  const c0 = <u64>(n0 == 0);
  const n1 = ~l1(a) + c0;
  const c1 = <u64>(c0 != 0 && n1 == 0);
  const n2 = ~l2(a) + c1;
  const c2 = <u64>(c1 != 0 && n2 == 0);
  put(to, n0, n1, n2, ~l3(a) + c2);
}

/** High half of a 64 × 64 bit product. */
// @ts-expect-error: decorator
@inline
export function high(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const mid = a1 * b0 + ((a0 * b0) >> 32);
  return a1 * b1 + (mid >> 32) + ((a0 * b1 + (mid & 0xffffffff)) >> 32);
}

/** `high` as a function of its own. */
export function highOf(a: u64, b: u64): u64 {
  return high(a, b);
}

export function multiply(to: u32, a: u32, b: u32): void {
  const x0 = l0(a), x1 = l1(a), x2 = l2(a), x3 = l3(a);
  const y0 = l0(b), y1 = l1(b), y2 = l2(b), y3 = l3(b);
  const r0 = x0 * y0;
  if ((x1 | x2 | x3 | y1 | y2 | y3) == 0) {
    put(to, r0, high(x0, y0), 0, 0);
    return;
  }
  let r1 = high(x0, y0);
  let r2: u64 = 0;
  let r3: u64 = 0;
  // limb 1
  let p = x0 * y1;
  r1 += p;
  r2 += <u64>(r1 < p);
  p = x1 * y0;
  r1 += p;
  r2 += <u64>(r1 < p);
  // limb 2
  p = high(x0, y1);
  r2 += p;
  r3 += <u64>(r2 < p);
  p = high(x1, y0);
  r2 += p;
  r3 += <u64>(r2 < p);
  p = x0 * y2;
  r2 += p;
  r3 += <u64>(r2 < p);
  p = x1 * y1;
  r2 += p;
  r3 += <u64>(r2 < p);
  p = x2 * y0;
  r2 += p;
  r3 += <u64>(r2 < p);
  // limb 3
  r3 += high(x0, y2) + high(x1, y1) + high(x2, y0) + x0 * y3 + x1 * y2 + x2 * y1 + x3 * y0;
  put(to, r0, r1, r2, r3);
}

export function shiftLeft(to: u32, bits: u32, a: u32): void {
  const limbs = bits >> 6, rest = <u64>(bits & 63), back = (64 - rest) & 63;
  const mask: u64 = rest == 0 ? 0 : u64.MAX_VALUE;
  const a0 = l0(a), a1 = l1(a), a2 = l2(a), a3 = l3(a);
  const s0 = a0 << rest;
  const s1 = (a1 << rest) | ((a0 >> back) & mask);
  const s2 = (a2 << rest) | ((a1 >> back) & mask);
  const s3 = (a3 << rest) | ((a2 >> back) & mask);
  if (limbs == 0) put(to, s0, s1, s2, s3);
  else if (limbs == 1) put(to, 0, s0, s1, s2);
  else if (limbs == 2) put(to, 0, 0, s0, s1);
  else put(to, 0, 0, 0, s0);
}

/** `fill`: what comes in from above: no bits, or all of them. */
export function shiftRight(to: u32, bits: u32, a: u32, fill: u64): void {
  const limbs = bits >> 6, rest = <u64>(bits & 63), back = (64 - rest) & 63;
  const mask: u64 = rest == 0 ? 0 : u64.MAX_VALUE;
  const a0 = l0(a), a1 = l1(a), a2 = l2(a), a3 = l3(a);
  const s0 = (a0 >> rest) | ((a1 << back) & mask);
  const s1 = (a1 >> rest) | ((a2 << back) & mask);
  const s2 = (a2 >> rest) | ((a3 << back) & mask);
  const s3 = (a3 >> rest) | ((fill << back) & mask);
  if (limbs == 0) put(to, s0, s1, s2, s3);
  else if (limbs == 1) put(to, s1, s2, s3, fill);
  else if (limbs == 2) put(to, s2, s3, fill, fill);
  else put(to, s3, fill, fill, fill);
}

/** The byte at `index` from the most significant; zero beyond the word. */
export function byteAt(to: u32, index: u32, a: u32): void {
  const at = 31 - load<u64>(index);
  const isIn = (l1(index) | l2(index) | l3(index)) == 0 && load<u64>(index) < 32;
  put(to, isIn ? <u64>load<u8>(a + <u32>at) : 0, 0, 0, 0);
}

export function signExtend(to: u32, size: u32, a: u32): void {
  if ((l1(size) | l2(size) | l3(size)) != 0 || l0(size) >= 31) {
    copy(to, a);
    return;
  }
  const bits = 8 * (31 - <u32>l0(size));
  shiftLeft(to, bits, a);
  shiftRight(to, bits, to, <u64>(<i64>l3(to) >> 63));
}

/** Shift counts from 256 on are one. */
// @ts-ignore: decorator
@inline
function bitsOf(word: u32): u32 {
  return (l1(word) | l2(word) | l3(word)) != 0 || l0(word) > 255 ? 256 : <u32>l0(word);
}

export function shiftLeftBy(to: u32, by: u32, a: u32): void {
  const bits = bitsOf(by);
  if (bits == 256) put(to, 0, 0, 0, 0);
  else shiftLeft(to, bits, a);
}

export function shiftRightBy(to: u32, by: u32, a: u32): void {
  const bits = bitsOf(by);
  if (bits == 256) put(to, 0, 0, 0, 0);
  else shiftRight(to, bits, a, 0);
}

export function shiftSignedBy(to: u32, by: u32, a: u32): void {
  const bits = bitsOf(by);
  const fill = <u64>(<i64>l3(a) >> 63);
  if (bits == 256) put(to, fill, fill, fill, fill);
  else shiftRight(to, bits, a, fill);
}

/** How many zero bits come before the first one; 256 for zero. */
export function leadingZeros(to: u32, a: u32): void {
  const x3 = l3(a), x2 = l2(a), x1 = l1(a), x0 = l0(a);
  let zeros: u64 = 192 + clz<u64>(x0);
  if (x3 != 0) zeros = clz<u64>(x3);
  else if (x2 != 0) zeros = 64 + clz<u64>(x2);
  else if (x1 != 0) zeros = 128 + clz<u64>(x1);
  put(to, zeros, 0, 0, 0);
}
