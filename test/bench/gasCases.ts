import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import {
  bigintToFixedBytes,
  bytesToHex,
  concatBytes,
  sha256,
  signDigest,
} from '../../node/src/primitives/index.ts';

/** A call of a standard precompile, valid or as dear as it can be made. */
export interface GasCase {
  readonly name: string;
  readonly number: number;
  readonly input: Uint8Array;
  /** Runs by Osaka's rules; the others by Prague's. */
  readonly osaka?: boolean;
}

const digest = new Uint8Array(32).fill(9);
const key = new Uint8Array(32).fill(7);
const word = (value: number | bigint) => bigintToFixedBytes(BigInt(value), 32);
const filled = (length: number, byte = 0xff) => new Uint8Array(length).fill(byte);
const times = (count: number, item: (i: number) => Uint8Array) =>
  concatBytes(...Array.from({ length: count }, (_, i) => item(i)));
const SCALAR = (1n << 254n) + 12_345_678_901_234_567_890n;

function recovery(): Uint8Array {
  const { signature, recoveryId } = signDigest(digest, key);
  return concatBytes(digest, word(27 + recoveryId), signature);
}

function modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  const lengths = [base, exponent, modulus].map(({ length }) => word(length));
  return concatBytes(...lengths, base, exponent, modulus);
}

/** An even number with as large an odd part as may be. */
function even(length: number): Uint8Array {
  const bytes = filled(length);
  bytes[length - 1] = 0xfe;
  return bytes;
}

const bnG1 = (k: number) => {
  const { x, y } = bn254.G1.Point.BASE.multiplyUnsafe(BigInt(k)).toAffine();
  return concatBytes(word(x), word(y));
};
const bnG2 = (k: number) => {
  const { x, y } = bn254.G2.Point.BASE.multiplyUnsafe(BigInt(k)).toAffine();
  return concatBytes(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
};
const field = (value: bigint) => bigintToFixedBytes(value, 64);
const blsG1 = (k: number) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiplyUnsafe(BigInt(k)).toAffine();
  return concatBytes(field(x), field(y));
};
const blsG2 = (k: number) => {
  const { x, y } = bls12_381.G2.Point.BASE.multiplyUnsafe(BigInt(k)).toAffine();
  return concatBytes(field(x.c0), field(x.c1), field(y.c0), field(y.c1));
};
const large = (i: number) => bigintToFixedBytes((1n << 120n) + BigInt(i), 64);

function proof(): Uint8Array {
  const { BASE, ZERO } = bls12_381.G1.Point;
  const commitment = BASE.multiplyUnsafe(77n).toBytes(true);
  const hash = Uint8Array.from(sha256(commitment));
  hash[0] = 1;
  return concatBytes(hash, word(5), word(77), commitment, ZERO.toBytes(true));
}

function signatureP256(): Uint8Array {
  const signed = p256.sign(digest, key, { prehash: false });
  return concatBytes(digest, signed, p256.getPublicKey(key, false).subarray(1));
}

function rounds(count: number): Uint8Array {
  return concatBytes(word(count).subarray(28), filled(208, 3), Uint8Array.of(1));
}

export const GAS_CASES: readonly GasCase[] = [
  { name: 'ecrecover', number: 1, input: recovery() },
  { name: 'ecrecover, of an impossible v', number: 1, input: filled(128) },
  { name: 'sha256, no bytes', number: 2, input: new Uint8Array(0) },
  { name: 'sha256, 32 KiB', number: 2, input: filled(32 << 10) },
  { name: 'ripemd160, no bytes', number: 3, input: new Uint8Array(0) },
  { name: 'ripemd160, 32 KiB', number: 3, input: filled(32 << 10) },
  { name: 'identity, no bytes', number: 4, input: new Uint8Array(0) },
  { name: 'identity, 32 KiB', number: 4, input: filled(32 << 10) },
  ...[8, 16, 24, 32, 64, 128, 256, 1024].map((length) => ({
    name: `modexp, ${length} bytes, odd`,
    number: 5,
    input: modexp(filled(length, 0xfe), filled(256), filled(length)),
  })),
  ...[8, 32, 256].map((length) => ({
    name: `modexp, ${length} bytes, even`,
    number: 5,
    input: modexp(filled(length, 0xfd), filled(256), even(length)),
  })),
  { name: 'modexp, 32 bytes, cube', number: 5, input: modexp(filled(32), filled(1, 3), filled(32)) },
  {
    name: 'modexp, 32 bytes, odd, Osaka',
    number: 5,
    input: modexp(filled(32), filled(256), filled(32)),
    osaka: true,
  },
  { name: 'bn254 add', number: 6, input: concatBytes(bnG1(3), bnG1(5)) },
  { name: 'bn254 mul', number: 7, input: concatBytes(bnG1(3), word(SCALAR)) },
  { name: 'bn254 pairing, 1 pair', number: 8, input: concatBytes(bnG1(3), bnG2(5)) },
  {
    name: 'bn254 pairing, 8 pairs',
    number: 8,
    input: times(8, (i) => concatBytes(bnG1(i + 1), bnG2(i + 9))),
  },
  { name: 'blake2f, 12 rounds', number: 9, input: rounds(12) },
  { name: 'blake2f, 3,000,000 rounds', number: 9, input: rounds(3_000_000) },
  { name: 'point evaluation', number: 10, input: proof() },
  { name: 'BLS12-381 G1 add', number: 11, input: concatBytes(blsG1(3), blsG1(5)) },
  { name: 'BLS12-381 G1 MSM, 1', number: 12, input: concatBytes(blsG1(3), word(SCALAR)) },
  {
    name: 'BLS12-381 G1 MSM, 128',
    number: 12,
    input: times(128, (i) => concatBytes(blsG1(i + 3), word(SCALAR - BigInt(i)))),
  },
  { name: 'BLS12-381 G2 add', number: 13, input: concatBytes(blsG2(3), blsG2(5)) },
  { name: 'BLS12-381 G2 MSM, 1', number: 14, input: concatBytes(blsG2(3), word(SCALAR)) },
  {
    name: 'BLS12-381 G2 MSM, 128',
    number: 14,
    input: times(128, (i) => concatBytes(blsG2(i + 3), word(SCALAR - BigInt(i)))),
  },
  { name: 'BLS12-381 pairing, 1 pair', number: 15, input: concatBytes(blsG1(3), blsG2(5)) },
  {
    name: 'BLS12-381 pairing, 8 pairs',
    number: 15,
    input: times(8, (i) => concatBytes(blsG1(i + 3), blsG2(i + 5))),
  },
  { name: 'BLS12-381 map to G1', number: 16, input: large(1) },
  { name: 'BLS12-381 map to G2', number: 17, input: concatBytes(large(1), large(2)) },
  { name: 'P-256', number: 0x100, input: signatureP256(), osaka: true },
];

/** Calls what its input names, with the rest of the input, until less than a million gas is left. */
export const LOOP_CODE = '0x602036038060205f375f355b5f5f835f845afa50620f42405a11600b5700';
/** The same by calls with value, of which none may fail. */
export const WRITE_LOOP_CODE =
  '0x60403603806040' +
  '5f37' +
  '5f35' +
  '602035' +
  '5b5f5f845f84865af1' +
  '15602557' +
  '620f42405a11600e57' +
  '00' +
  '5b5f5ffd';
/** Counts down, without a call: what a block may burn at best. */
export const PLAIN_LOOP_CODE = '0x5b620f42405a115f5700';

export const loopInput = (address: Uint8Array, input: Uint8Array): Uint8Array =>
  concatBytes(new Uint8Array(12), address, input);

export const writeLoopInput = (address: Uint8Array, value: bigint, input: Uint8Array): Uint8Array =>
  concatBytes(new Uint8Array(12), address, word(value), input);

export const addressOf = (number: number): Uint8Array => word(number).subarray(12);

export const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`;
