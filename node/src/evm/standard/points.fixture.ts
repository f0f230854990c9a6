import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import fc from 'fast-check';
import { bigintToFixedBytes, concatBytes } from '../../primitives/index.ts';

/** Inputs of the precompiles over pairing-friendly curves: members, points off the subgroup or the curve, infinity, coordinates out of the field. */
type Curve = typeof bls12_381;
type Fp2Element = ReturnType<Curve['fields']['Fp2']['create']>;

interface Encoding {
  readonly curve: Curve;
  readonly fieldBytes: number;
  /** Whether the real part of a coordinate comes first. */
  readonly realFirst: boolean;
}

export const BLS: Encoding = { curve: bls12_381, fieldBytes: 64, realFirst: true };
export const BN: Encoding = { curve: bn254 as Curve, fieldBytes: 32, realFirst: false };

export const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const number32 = bytes(32).map((value) => BigInt(`0x00${Buffer.from(value).toString('hex')}`));
const scalar = number32.map((value) => (value % 2n ** 128n) + 1n);

/** A coordinate as the precompile has it. */
const field = ({ fieldBytes }: Encoding, value: bigint) => bigintToFixedBytes(value, fieldBytes);
const field2 = (encoding: Encoding, { c0, c1 }: Fp2Element) => {
  const parts = [field(encoding, c0), field(encoding, c1)];
  return concatBytes(...(encoding.realFirst ? parts : parts.reverse()));
};

export function g1Bytes(encoding: Encoding, point: InstanceType<Curve['G1']['Point']>): Uint8Array {
  if (point.is0()) return new Uint8Array(2 * encoding.fieldBytes);
  const { x, y } = point.toAffine();
  return concatBytes(field(encoding, x), field(encoding, y));
}

export function g2Bytes(encoding: Encoding, point: InstanceType<Curve['G2']['Point']>): Uint8Array {
  if (point.is0()) return new Uint8Array(4 * encoding.fieldBytes);
  const { x, y } = point.toAffine();
  return concatBytes(field2(encoding, x), field2(encoding, y));
}

/** A point of G1, of the curve alone, or something else of its length. */
export function g1(encoding: Encoding): fc.Arbitrary<Uint8Array> {
  const { curve, fieldBytes } = encoding;
  const { Point } = curve.G1;
  const member = scalar.map((k) => g1Bytes(encoding, Point.BASE.multiplyUnsafe(k)));
  const { Fp } = curve.fields;
  const onCurve = number32.map((start) => {
    for (let x = start % Fp.ORDER; ; x++) {
      const square = Fp.add(Fp.mul(Fp.sqr(x), x), Point.CURVE().b);
      const y = squareRoot(() => Fp.sqrt(square));
      if (y !== undefined) return concatBytes(field(encoding, x), field(encoding, y));
    }
  });
  return pointOf(member, onCurve, { fieldBytes, fields: 2, order: Fp.ORDER });
}

export function g2(encoding: Encoding): fc.Arbitrary<Uint8Array> {
  const { curve, fieldBytes } = encoding;
  const { Point } = curve.G2;
  const { Fp, Fp2 } = curve.fields;
  const member = scalar.map((k) => g2Bytes(encoding, Point.BASE.multiplyUnsafe(k)));
  const onCurve = fc.tuple(number32, number32).map(([real, start]) => {
    for (let imaginary = start; ; imaginary++) {
      const x = Fp2.fromBigTuple([real % Fp.ORDER, imaginary % Fp.ORDER]);
      const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Point.CURVE().b);
      const y = squareRoot(() => Fp2.sqrt(square));
      if (y !== undefined) return concatBytes(field2(encoding, x), field2(encoding, y));
    }
  });
  return pointOf(member, onCurve, { fieldBytes, fields: 4, order: Fp.ORDER });
}

function squareRoot<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

interface PointShape {
  readonly fieldBytes: number;
  readonly fields: number;
  readonly order: bigint;
}

function pointOf(
  member: fc.Arbitrary<Uint8Array>,
  onCurve: fc.Arbitrary<Uint8Array>,
  { fieldBytes, fields, order }: PointShape,
): fc.Arbitrary<Uint8Array> {
  const infinity = fc.constant(new Uint8Array(fields * fieldBytes));
  const change = fc.tuple(fc.nat(fields * fieldBytes - 1), fc.integer({ min: 1, max: 255 }));
  const changed = fc.tuple(member, change).map(([point, [at, by]]) => {
    const other = Uint8Array.from(point);
    other[at]! ^= by;
    return other;
  });
  // The same point, one coordinate written as a number that is not below the prime.
  const beyond = fc.tuple(member, fc.nat(fields - 1)).map(([point, place]) => {
    const other = Uint8Array.from(point);
    const value = BigInt(
      `0x${Buffer.from(point.subarray(place * fieldBytes, (place + 1) * fieldBytes)).toString('hex')}`,
    );
    if ((value + order) >> BigInt(fieldBytes * 8) > 0n) return other;
    other.set(bigintToFixedBytes(value + order, fieldBytes), place * fieldBytes);
    return other;
  });
  return fc.oneof(
    { weight: 8, arbitrary: member },
    { weight: 3, arbitrary: infinity },
    { weight: 2, arbitrary: onCurve },
    changed,
    beyond,
  );
}

/** A factor: any number of 32 bytes, the edges of the group's order often. */
export function factor({ curve }: Encoding): fc.Arbitrary<Uint8Array> {
  const { ORDER } = curve.fields.Fr;
  const edges = [0n, 1n, 2n, ORDER - 1n, ORDER, ORDER + 1n, 2n * ORDER, 2n ** 256n - 1n];
  return fc.oneof(
    bytes(32),
    fc.constantFrom(...edges).map((value) => bigintToFixedBytes(value, 32)),
  );
}

/** A field element of the encoding, below the prime or not. */
export function element({ curve, fieldBytes }: Encoding): fc.Arbitrary<Uint8Array> {
  const { ORDER } = curve.fields.Fp;
  const edges = [0n, 1n, 2n, ORDER - 2n, ORDER - 1n, ORDER, ORDER + 1n];
  return fc.oneof(
    bytes(47).map((low) => concatBytes(new Uint8Array(fieldBytes - 47), low)),
    fc.constantFrom(...edges).map((value) => bigintToFixedBytes(value, fieldBytes)),
    bytes(fieldBytes),
  );
}

/** The input cut, or with more behind it, now and then. */
export function odd(input: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const cut = fc.tuple(input, fc.nat(1000)).map(([whole, at]) => whole.subarray(0, at % (whole.length + 1)));
  const longer = fc.tuple(input, fc.uint8Array({ maxLength: 40 })).map((parts) => concatBytes(...parts));
  return fc.oneof({ weight: 8, arbitrary: input }, cut, longer);
}
