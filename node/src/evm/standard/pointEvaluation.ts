import { bls12_381 } from '@noble/curves/bls12-381.js';
import {
  bigintToFixedBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
  sha256,
  uint64ToBytes,
} from '../../primitives/index.ts';
import { bls12381, G1, G2 } from './bls12381.ts';
import { blsPoints } from './blsPoints.ts';
import { Lazy } from './lazy.ts';
import { FP_BYTES, FR_BYTES } from './mcl.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

const INPUT_BYTES = 192;
const POINT_BYTES = 48;
const VERSION_KZG = 1;
const ORDER = bls12_381.fields.Fr.ORDER;
const ORDER_BYTES = bigintToFixedBytes(ORDER, 32);
const FIELD_ELEMENTS_OF_BLOB = 4096n;
const INFINITY = Uint8Array.from({ length: POINT_BYTES }, (_, at) => (at === 0 ? 0xc0 : 0));
const FAILED = 'error verifying kzg proof';
const ANSWER = concatBytes(new Uint8Array(24), uint64ToBytes(FIELD_ELEMENTS_OF_BLOB), ORDER_BYTES);

/** [τ]₂ of Ethereum's KZG ceremony: the one point of the trusted setup that verifying a proof needs (EIP-4844). */
const TAU_G2 = hexToBytes(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
    '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
);

const setup = new Lazy(async () => {
  await bls12381.preparing();
  const { curve } = bls12381.opened;
  const { G1: first, G2: second } = bls12_381;
  const places = {
    /** Commitment, generator and proof, and what they are multiplied by. */
    points: curve.place(2 * G1.room),
    scalars: curve.place(2 * FR_BYTES),
    commitment: curve.place(G1.room),
    generator: curve.place(G1.room),
    negativeGenerator: curve.place(G2.room),
    tau: curve.place(G2.room),
  };
  const { x, y } = first.Point.BASE.toAffine();
  curve.putPoint(curve.g1, places.generator, [field(x), field(y)]);
  for (const [to, point] of [
    [places.negativeGenerator, second.Point.BASE.negate()],
    [places.tau, second.Point.fromBytes(TAU_G2)],
  ] as const) {
    const { x, y } = point.toAffine();
    curve.putPoint(curve.g2, to, [field(x.c0), field(x.c1), field(y.c0), field(y.c1)]);
  }
  return { curve, ...places };
});

/** 0x0a (EIP-4844): versioned hash ‖ z ‖ y ‖ commitment ‖ proof. */
export const pointEvaluation: StandardPrecompile = {
  gas: () => 50_000,
  preparing: setup.preparing,
  run: (input) => evaluatePoint(input, isProven),
};

/** Its answer where `isTrue` judges z ‖ y ‖ commitment ‖ proof. */
export function evaluatePoint(
  input: Uint8Array,
  isTrue: (claim: Uint8Array) => boolean,
): Uint8Array | string {
  if (input.length !== INPUT_BYTES) return 'invalid input length';
  const hash = Uint8Array.from(sha256(input.subarray(96, 144)));
  hash[0] = VERSION_KZG;
  if (!equalBytes(hash, input.subarray(0, 32))) return 'mismatched versioned hash';
  return isTrue(input.subarray(32)) ? ANSWER : FAILED;
}

/** e(C − [y]₁ + z·π, −[1]₂) · e(π, [τ]₂) = 1: what belongs to [z]₂ is moved to the side where products are cheap. */
function isProven(claim: Uint8Array): boolean {
  const [z, y] = [claim.subarray(0, 32), claim.subarray(32, 64)];
  const [commitment, proof] = [claim.subarray(64, 112), claim.subarray(112)];
  if (Buffer.compare(z, ORDER_BYTES) >= 0 || Buffer.compare(y, ORDER_BYTES) >= 0) return false;
  const { curve, points, scalars, ...at } = setup.opened;
  const { g1, batch, mcl } = curve;
  if (!putG1(at.commitment, commitment) || !putG1(points + G1.room, proof)) return false;
  curve.copy(points, at.generator, G1.room);
  curve.putScalar(scalars, y);
  mcl._mclBnFr_neg(scalars, scalars);
  curve.putScalar(scalars + FR_BYTES, z);
  const fill = (): number => {
    g1.mulVec(batch.g1, points, scalars, 2);
    g1.add(batch.g1, batch.g1, at.commitment);
    curve.copy(batch.g2, at.negativeGenerator, G2.room);
    const first = g1.isZero(batch.g1) ? 0 : 1;
    curve.copy(batch.g1 + first * G1.room, points + G1.room, G1.room);
    curve.copy(batch.g2 + first * G2.room, at.tau, G2.room);
    return first + (g1.isZero(points + G1.room) ? 0 : 1);
  };
  return curve.isProductOne(1, fill, () => undefined) === true;
}

/** A compressed point of the subgroup, or infinity; false for all other bytes. */
function putG1(to: number, bytes: Uint8Array): boolean {
  const { curve } = setup.opened;
  if (equalBytes(bytes, INFINITY)) {
    curve.g1.clear(to);
    return true;
  }
  const point = blsPoints.decompressG1(bytes);
  if (!point) return false;
  return curve.putPoint(curve.g1, to, [point.subarray(0, FP_BYTES), point.subarray(FP_BYTES)]) === undefined;
}

function field(value: bigint): Uint8Array {
  return bigintToFixedBytes(value, FP_BYTES);
}
