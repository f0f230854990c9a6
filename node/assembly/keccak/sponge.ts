/** Keccak-256's sponge, unpadded by SHA-3's rule. A state is 25 lanes, 200 bytes; a block is 17 of them. */
export const RATE: u32 = 136;

const ROUND: StaticArray<u64> = [
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
  0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
  0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
  0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
];

/** Takes whole blocks in; gives where the rest begins. */
export function absorb(state: u32, from: u32, length: u32): u32 {
  for (; length >= RATE; length -= RATE) {
    for (let i: u32 = 0; i < RATE; i += 8) store<u64>(state + i, load<u64>(state + i) ^ load<u64>(from + i));
    permute(state);
    from += RATE;
  }
  return from;
}

/** Takes what is left, less than a block. The hash is the state's first 32 bytes then. */
export function finish(state: u32, from: u32, length: u32): void {
  const whole = length & ~7;
  for (let i: u32 = 0; i < whole; i += 8) store<u64>(state + i, load<u64>(state + i) ^ load<u64>(from + i));
  let last: u64 = (<u64>1) << ((length & 7) << 3);
  for (let i = whole; i < length; i++) last |= <u64>load<u8>(from + i) << ((i & 7) << 3);
  store<u64>(state + whole, load<u64>(state + whole) ^ last);
  store<u64>(state, load<u64>(state, RATE - 8) ^ 0x8000000000000000, RATE - 8);
  permute(state);
}

/** As an empty state that takes 64 bytes and ends. */
export function hashPair(state: u32, from: u32): void {
  for (let i: u32 = 0; i < 64; i += 8) store<u64>(state + i, load<u64>(from + i));
  for (let i: u32 = 64; i < 200; i += 8) store<u64>(state + i, 0);
  store<u64>(state, 1, 64);
  store<u64>(state, 0x8000000000000000, RATE - 8);
  permute(state);
}

/**
 * Two rounds a turn, from lanes a to lanes e and back, so that nothing is moved. Lanes 1, 2, 8, 12, 17 and 20 are
 * complemented in between, which leaves 8 of the 25 complements of a round (XKCP's "bebigokimisa").
 */
function permute(state: u32): void {
  let a0 = load<u64>(state, 0), a1 = ~load<u64>(state, 8), a2 = ~load<u64>(state, 16), a3 = load<u64>(state, 24), a4 = load<u64>(state, 32);
  let a5 = load<u64>(state, 40), a6 = load<u64>(state, 48), a7 = load<u64>(state, 56), a8 = ~load<u64>(state, 64), a9 = load<u64>(state, 72);
  let a10 = load<u64>(state, 80), a11 = load<u64>(state, 88), a12 = ~load<u64>(state, 96), a13 = load<u64>(state, 104), a14 = load<u64>(state, 112);
  let a15 = load<u64>(state, 120), a16 = load<u64>(state, 128), a17 = ~load<u64>(state, 136), a18 = load<u64>(state, 144), a19 = load<u64>(state, 152);
  let a20 = ~load<u64>(state, 160), a21 = load<u64>(state, 168), a22 = load<u64>(state, 176), a23 = load<u64>(state, 184), a24 = load<u64>(state, 192);
  let e0: u64, e1: u64, e2: u64, e3: u64, e4: u64;
  let e5: u64, e6: u64, e7: u64, e8: u64, e9: u64;
  let e10: u64, e11: u64, e12: u64, e13: u64, e14: u64;
  let e15: u64, e16: u64, e17: u64, e18: u64, e19: u64;
  let e20: u64, e21: u64, e22: u64, e23: u64, e24: u64;
  let c0: u64, c1: u64, c2: u64, c3: u64, c4: u64;
  let d0: u64, d1: u64, d2: u64, d3: u64, d4: u64;
  let t0: u64, t1: u64, t2: u64, t3: u64, t4: u64;
  for (let round: u32 = 0; round < 24; round += 2) {
    c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    d0 = c4 ^ rotl<u64>(c1, 1);
    d1 = c0 ^ rotl<u64>(c2, 1);
    d2 = c1 ^ rotl<u64>(c3, 1);
    d3 = c2 ^ rotl<u64>(c4, 1);
    d4 = c3 ^ rotl<u64>(c0, 1);
    t0 = a0 ^ d0;
    t1 = rotl<u64>(a6 ^ d1, 44);
    t2 = rotl<u64>(a12 ^ d2, 43);
    t3 = rotl<u64>(a18 ^ d3, 21);
    t4 = rotl<u64>(a24 ^ d4, 14);
    e0 = t0 ^ (t1 | t2) ^ unchecked(ROUND[round]);
    e1 = t1 ^ (~t2 | t3);
    e2 = t2 ^ (t3 & t4);
    e3 = t3 ^ (t4 | t0);
    e4 = t4 ^ (t0 & t1);
    t0 = rotl<u64>(a3 ^ d3, 28);
    t1 = rotl<u64>(a9 ^ d4, 20);
    t2 = rotl<u64>(a10 ^ d0, 3);
    t3 = rotl<u64>(a16 ^ d1, 45);
    t4 = rotl<u64>(a22 ^ d2, 61);
    e5 = t0 ^ (t1 | t2);
    e6 = t1 ^ (t2 & t3);
    e7 = t2 ^ (t3 | ~t4);
    e8 = t3 ^ (t4 | t0);
    e9 = t4 ^ (t0 & t1);
    t0 = rotl<u64>(a1 ^ d1, 1);
    t1 = rotl<u64>(a7 ^ d2, 6);
    t2 = rotl<u64>(a13 ^ d3, 25);
    t3 = rotl<u64>(a19 ^ d4, 8);
    t4 = rotl<u64>(a20 ^ d0, 18);
    e10 = t0 ^ (t1 | t2);
    e11 = t1 ^ (t2 & t3);
    e12 = t2 ^ (~t3 & t4);
    e13 = ~t3 ^ (t4 | t0);
    e14 = t4 ^ (t0 & t1);
    t0 = rotl<u64>(a4 ^ d4, 27);
    t1 = rotl<u64>(a5 ^ d0, 36);
    t2 = rotl<u64>(a11 ^ d1, 10);
    t3 = rotl<u64>(a17 ^ d2, 15);
    t4 = rotl<u64>(a23 ^ d3, 56);
    e15 = t0 ^ (t1 & t2);
    e16 = t1 ^ (t2 | t3);
    e17 = t2 ^ (~t3 | t4);
    e18 = ~t3 ^ (t4 & t0);
    e19 = t4 ^ (t0 | t1);
    t0 = rotl<u64>(a2 ^ d2, 62);
    t1 = rotl<u64>(a8 ^ d3, 55);
    t2 = rotl<u64>(a14 ^ d4, 39);
    t3 = rotl<u64>(a15 ^ d0, 41);
    t4 = rotl<u64>(a21 ^ d1, 2);
    e20 = t0 ^ (~t1 & t2);
    e21 = ~t1 ^ (t2 | t3);
    e22 = t2 ^ (t3 & t4);
    e23 = t3 ^ (t4 | t0);
    e24 = t4 ^ (t0 & t1);
    c0 = e0 ^ e5 ^ e10 ^ e15 ^ e20;
    c1 = e1 ^ e6 ^ e11 ^ e16 ^ e21;
    c2 = e2 ^ e7 ^ e12 ^ e17 ^ e22;
    c3 = e3 ^ e8 ^ e13 ^ e18 ^ e23;
    c4 = e4 ^ e9 ^ e14 ^ e19 ^ e24;
    d0 = c4 ^ rotl<u64>(c1, 1);
    d1 = c0 ^ rotl<u64>(c2, 1);
    d2 = c1 ^ rotl<u64>(c3, 1);
    d3 = c2 ^ rotl<u64>(c4, 1);
    d4 = c3 ^ rotl<u64>(c0, 1);
    t0 = e0 ^ d0;
    t1 = rotl<u64>(e6 ^ d1, 44);
    t2 = rotl<u64>(e12 ^ d2, 43);
    t3 = rotl<u64>(e18 ^ d3, 21);
    t4 = rotl<u64>(e24 ^ d4, 14);
    a0 = t0 ^ (t1 | t2) ^ unchecked(ROUND[round + 1]);
    a1 = t1 ^ (~t2 | t3);
    a2 = t2 ^ (t3 & t4);
    a3 = t3 ^ (t4 | t0);
    a4 = t4 ^ (t0 & t1);
    t0 = rotl<u64>(e3 ^ d3, 28);
    t1 = rotl<u64>(e9 ^ d4, 20);
    t2 = rotl<u64>(e10 ^ d0, 3);
    t3 = rotl<u64>(e16 ^ d1, 45);
    t4 = rotl<u64>(e22 ^ d2, 61);
    a5 = t0 ^ (t1 | t2);
    a6 = t1 ^ (t2 & t3);
    a7 = t2 ^ (t3 | ~t4);
    a8 = t3 ^ (t4 | t0);
    a9 = t4 ^ (t0 & t1);
    t0 = rotl<u64>(e1 ^ d1, 1);
    t1 = rotl<u64>(e7 ^ d2, 6);
    t2 = rotl<u64>(e13 ^ d3, 25);
    t3 = rotl<u64>(e19 ^ d4, 8);
    t4 = rotl<u64>(e20 ^ d0, 18);
    a10 = t0 ^ (t1 | t2);
    a11 = t1 ^ (t2 & t3);
    a12 = t2 ^ (~t3 & t4);
    a13 = ~t3 ^ (t4 | t0);
    a14 = t4 ^ (t0 & t1);
    t0 = rotl<u64>(e4 ^ d4, 27);
    t1 = rotl<u64>(e5 ^ d0, 36);
    t2 = rotl<u64>(e11 ^ d1, 10);
    t3 = rotl<u64>(e17 ^ d2, 15);
    t4 = rotl<u64>(e23 ^ d3, 56);
    a15 = t0 ^ (t1 & t2);
    a16 = t1 ^ (t2 | t3);
    a17 = t2 ^ (~t3 | t4);
    a18 = ~t3 ^ (t4 & t0);
    a19 = t4 ^ (t0 | t1);
    t0 = rotl<u64>(e2 ^ d2, 62);
    t1 = rotl<u64>(e8 ^ d3, 55);
    t2 = rotl<u64>(e14 ^ d4, 39);
    t3 = rotl<u64>(e15 ^ d0, 41);
    t4 = rotl<u64>(e21 ^ d1, 2);
    a20 = t0 ^ (~t1 & t2);
    a21 = ~t1 ^ (t2 | t3);
    a22 = t2 ^ (t3 & t4);
    a23 = t3 ^ (t4 | t0);
    a24 = t4 ^ (t0 & t1);
  }
  store<u64>(state, a0, 0);
  store<u64>(state, ~a1, 8);
  store<u64>(state, ~a2, 16);
  store<u64>(state, a3, 24);
  store<u64>(state, a4, 32);
  store<u64>(state, a5, 40);
  store<u64>(state, a6, 48);
  store<u64>(state, a7, 56);
  store<u64>(state, ~a8, 64);
  store<u64>(state, a9, 72);
  store<u64>(state, a10, 80);
  store<u64>(state, a11, 88);
  store<u64>(state, ~a12, 96);
  store<u64>(state, a13, 104);
  store<u64>(state, a14, 112);
  store<u64>(state, a15, 120);
  store<u64>(state, a16, 128);
  store<u64>(state, ~a17, 136);
  store<u64>(state, a18, 144);
  store<u64>(state, a19, 152);
  store<u64>(state, ~a20, 160);
  store<u64>(state, a21, 168);
  store<u64>(state, a22, 176);
  store<u64>(state, a23, 184);
  store<u64>(state, a24, 192);
}
