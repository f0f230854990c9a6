import { createECDH, type ECDH } from 'node:crypto';
import { bigintToFixedBytes, bytesToBigint, concatBytes } from '../../primitives/index.ts';
import { wordOfOne } from './input.ts';
import { NO_BYTES, type StandardPrecompile } from './standardPrecompile.ts';

const INPUT_BYTES = 160;
const PRIME = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const UNCOMPRESSED = Uint8Array.of(4);

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** 0x0100 (EIP-7951): digest ‖ r ‖ s ‖ x ‖ y. No bytes for a signature that is not the key's. */
export const p256verify: StandardPrecompile = {
  gas: () => 6_900,
  run: (input) => (isP256Signature(input) ? wordOfOne() : NO_BYTES),
};

/** Whether the 160 bytes are a digest, and a signature of it by the key behind it: either s is good. */
export function isP256Signature(input: Uint8Array): boolean {
  if (input.length !== INPUT_BYTES) return false;
  const [digest, r, s, x, y] = [0, 1, 2, 3, 4].map((i) => bytesToBigint(input.subarray(i * 32, i * 32 + 32)));
  const isInRange = r! > 0n && r! < ORDER && s! > 0n && s! < ORDER;
  const key = { x: x!, y: y! };
  if (!isInRange || !isOnCurve(key)) return false;
  return isSigned(digest!, { r: r!, s: s! }, key);
}

function isOnCurve({ x, y }: Point): boolean {
  if (x >= PRIME || y >= PRIME) return false;
  return (y * y - (x * x * x - 3n * x + B)) % PRIME === 0n;
}

/**
 * OpenSSL offers verification of messages, not of digests, and products of points by x alone. With Q the key and z the
 * digest, R = (z/s)·G + (r/s)·Q is (r/s)·T for T = Q + (z/r)·G: the x of one product, and nothing is ambiguous.
 */
function isSigned(z: bigint, { r, s }: { readonly r: bigint; readonly s: bigint }, key: Point): boolean {
  const inverse = inverseOf(r * s, ORDER);
  const share = (z * s * inverse) % ORDER;
  const shifted = share === 0n ? key : sumOf(key, multipleOfBase(share));
  if (!shifted) return false;
  const ecdh = withPrivate((r * r * inverse) % ORDER);
  const x = bytesToBigint(ecdh.computeSecret(encode(shifted)));
  return x % ORDER === r;
}

function withPrivate(scalar: bigint): ECDH {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bigintToFixedBytes(scalar, 32));
  return ecdh;
}

function multipleOfBase(scalar: bigint): Point {
  const bytes = withPrivate(scalar).getPublicKey();
  return { x: bytesToBigint(bytes.subarray(1, 33)), y: bytesToBigint(bytes.subarray(33)) };
}

/** `undefined` for the point at infinity. */
function sumOf(a: Point, b: Point): Point | undefined {
  if (a.x === b.x && a.y !== b.y) return undefined;
  const [rise, run] = a.x === b.x ? [3n * a.x * a.x - 3n, 2n * a.y] : [b.y - a.y, b.x - a.x];
  const slope = (rise * inverseOf(run, PRIME)) % PRIME;
  const x = reduce(slope * slope - a.x - b.x);
  return { x, y: reduce(slope * (a.x - x) - a.y) };
}

function encode({ x, y }: Point): Uint8Array {
  return concatBytes(UNCOMPRESSED, bigintToFixedBytes(x, 32), bigintToFixedBytes(y, 32));
}

function reduce(value: bigint): bigint {
  const rest = value % PRIME;
  return rest < 0n ? rest + PRIME : rest;
}

/** By Euclid's algorithm; the modulus is prime and does not divide the value. */
function inverseOf(value: bigint, modulus: bigint): bigint {
  let [low, high] = [((value % modulus) + modulus) % modulus, modulus];
  let [x, next] = [1n, 0n];
  while (low !== 0n) {
    const quotient = high / low;
    [high, low] = [low, high - quotient * low];
    [next, x] = [x, next - quotient * x];
  }
  return next < 0n ? next + modulus : next;
}
