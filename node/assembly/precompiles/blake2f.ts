/** The compression function F of BLAKE2b (RFC 7693) with any number of rounds, some at a time. */

/** h, m and t as the precompile's input has them, little-endian words. */
const H: u32 = 0x1000;
const M: u32 = 0x1040;
const T: u32 = 0x10c0;
/** The sixteen words under work. */
const V: u32 = 0x1100;

/** Offsets of the words that each of ten rounds takes, in its order. */
const SIGMA: StaticArray<u8> = [
  0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120,
  112, 80, 32, 64, 72, 120, 104, 48, 8, 96, 0, 16, 88, 56, 40, 24,
  88, 64, 96, 0, 40, 16, 120, 104, 80, 112, 24, 48, 56, 8, 72, 32,
  56, 72, 24, 8, 104, 96, 88, 112, 16, 48, 40, 80, 32, 0, 120, 64,
  72, 0, 40, 56, 16, 32, 80, 120, 112, 8, 88, 96, 48, 64, 24, 104,
  16, 96, 48, 80, 0, 88, 64, 24, 32, 104, 56, 40, 120, 112, 8, 72,
  96, 40, 8, 120, 112, 104, 32, 80, 0, 56, 48, 24, 72, 16, 64, 88,
  104, 88, 56, 112, 96, 8, 24, 72, 40, 0, 120, 32, 64, 48, 16, 80,
  48, 120, 112, 72, 88, 24, 0, 64, 96, 16, 104, 56, 8, 32, 80, 40,
  80, 16, 64, 32, 56, 48, 8, 40, 120, 88, 72, 112, 24, 96, 104, 0,
];

export function blake2Begin(isFinal: bool): void {
  memory.copy(V, H, 64);
  store<u64>(V, 0x6a09e667f3bcc908, 64);
  store<u64>(V, 0xbb67ae8584caa73b, 72);
  store<u64>(V, 0x3c6ef372fe94f82b, 80);
  store<u64>(V, 0xa54ff53a5f1d36f1, 88);
  store<u64>(V, 0x510e527fade682d1 ^ load<u64>(T), 96);
  store<u64>(V, 0x9b05688c2b3e6c1f ^ load<u64>(T, 8), 104);
  store<u64>(V, isFinal ? ~0x1f83d9abfb41bd6b : 0x1f83d9abfb41bd6b, 112);
  store<u64>(V, 0x5be0cd19137e2179, 120);
}

/** Rounds `from` … `to` − 1, counted from the first. */
export function blake2Rounds(from: u32, to: u32): void {
  let v0 = load<u64>(V);
  let v1 = load<u64>(V, 8);
  let v2 = load<u64>(V, 16);
  let v3 = load<u64>(V, 24);
  let v4 = load<u64>(V, 32);
  let v5 = load<u64>(V, 40);
  let v6 = load<u64>(V, 48);
  let v7 = load<u64>(V, 56);
  let v8 = load<u64>(V, 64);
  let v9 = load<u64>(V, 72);
  let v10 = load<u64>(V, 80);
  let v11 = load<u64>(V, 88);
  let v12 = load<u64>(V, 96);
  let v13 = load<u64>(V, 104);
  let v14 = load<u64>(V, 112);
  let v15 = load<u64>(V, 120);
  const first = changetype<u32>(SIGMA);
  const end = first + 160;
  let sigma = first + (from % 10) * 16;
  for (let round = from; round < to; round++) {
    // Four columns, then four diagonals.
    v0 = v0 + v4 + word(sigma, 0); v12 = rotr<u64>(v12 ^ v0, 32); v8 += v12; v4 = rotr<u64>(v4 ^ v8, 24);
    v1 = v1 + v5 + word(sigma, 2); v13 = rotr<u64>(v13 ^ v1, 32); v9 += v13; v5 = rotr<u64>(v5 ^ v9, 24);
    v2 = v2 + v6 + word(sigma, 4); v14 = rotr<u64>(v14 ^ v2, 32); v10 += v14; v6 = rotr<u64>(v6 ^ v10, 24);
    v3 = v3 + v7 + word(sigma, 6); v15 = rotr<u64>(v15 ^ v3, 32); v11 += v15; v7 = rotr<u64>(v7 ^ v11, 24);
    v0 = v0 + v4 + word(sigma, 1); v12 = rotr<u64>(v12 ^ v0, 16); v8 += v12; v4 = rotr<u64>(v4 ^ v8, 63);
    v1 = v1 + v5 + word(sigma, 3); v13 = rotr<u64>(v13 ^ v1, 16); v9 += v13; v5 = rotr<u64>(v5 ^ v9, 63);
    v2 = v2 + v6 + word(sigma, 5); v14 = rotr<u64>(v14 ^ v2, 16); v10 += v14; v6 = rotr<u64>(v6 ^ v10, 63);
    v3 = v3 + v7 + word(sigma, 7); v15 = rotr<u64>(v15 ^ v3, 16); v11 += v15; v7 = rotr<u64>(v7 ^ v11, 63);
    v0 = v0 + v5 + word(sigma, 8); v15 = rotr<u64>(v15 ^ v0, 32); v10 += v15; v5 = rotr<u64>(v5 ^ v10, 24);
    v1 = v1 + v6 + word(sigma, 10); v12 = rotr<u64>(v12 ^ v1, 32); v11 += v12; v6 = rotr<u64>(v6 ^ v11, 24);
    v2 = v2 + v7 + word(sigma, 12); v13 = rotr<u64>(v13 ^ v2, 32); v8 += v13; v7 = rotr<u64>(v7 ^ v8, 24);
    v3 = v3 + v4 + word(sigma, 14); v14 = rotr<u64>(v14 ^ v3, 32); v9 += v14; v4 = rotr<u64>(v4 ^ v9, 24);
    v0 = v0 + v5 + word(sigma, 9); v15 = rotr<u64>(v15 ^ v0, 16); v10 += v15; v5 = rotr<u64>(v5 ^ v10, 63);
    v1 = v1 + v6 + word(sigma, 11); v12 = rotr<u64>(v12 ^ v1, 16); v11 += v12; v6 = rotr<u64>(v6 ^ v11, 63);
    v2 = v2 + v7 + word(sigma, 13); v13 = rotr<u64>(v13 ^ v2, 16); v8 += v13; v7 = rotr<u64>(v7 ^ v8, 63);
    v3 = v3 + v4 + word(sigma, 15); v14 = rotr<u64>(v14 ^ v3, 16); v9 += v14; v4 = rotr<u64>(v4 ^ v9, 63);
    sigma += 16;
    if (sigma === end) sigma = first;
  }
  store<u64>(V, v0);
  store<u64>(V, v1, 8);
  store<u64>(V, v2, 16);
  store<u64>(V, v3, 24);
  store<u64>(V, v4, 32);
  store<u64>(V, v5, 40);
  store<u64>(V, v6, 48);
  store<u64>(V, v7, 56);
  store<u64>(V, v8, 64);
  store<u64>(V, v9, 72);
  store<u64>(V, v10, 80);
  store<u64>(V, v11, 88);
  store<u64>(V, v12, 96);
  store<u64>(V, v13, 104);
  store<u64>(V, v14, 112);
  store<u64>(V, v15, 120);
}

/** Leaves the result in h. */
export function blake2End(): void {
  for (let at: u32 = 0; at < 64; at += 8) {
    store<u64>(H + at, load<u64>(H + at) ^ load<u64>(V + at) ^ load<u64>(V + at, 64));
  }
}

/** The message word that the round takes at a place. */
// @ts-expect-error: decorator
@inline
function word(sigma: u32, place: u32): u64 {
  return load<u64>(M + load<u8>(sigma + place));
}
