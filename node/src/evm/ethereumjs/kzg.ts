import type { CustomCrypto } from '@ethereumjs/common';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToBigint, hexToBytes } from '../../primitives/index.ts';

/** [τ]₂ of Ethereum's KZG ceremony: the one point of the trusted setup that verifying a proof needs (EIP-4844). */
const TAU_G2 = hexToBytes(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
    '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
);

type Kzg = NonNullable<CustomCrypto['kzg']>;
type G1Point = InstanceType<typeof bls12_381.G1.Point>;
type G2Point = InstanceType<typeof bls12_381.G2.Point>;

/**
 * What the point evaluation precompile (0x0a) asks of KZG: whether the polynomial behind `commitment` is `y` at
 * `z`. e(C − [y]₁, −[1]₂) · e(π, [τ]₂ − [z]₂) = 1. The rest of the library's interface is for blob transactions,
 * which do not exist here.
 */
export const kzgVerifier = { verifyProof: verifyKzgProof } as Kzg;

function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  const { G1, G2, fields } = bls12_381;
  const at = bytesToBigint(hexToBytes(z));
  const value = bytesToBigint(hexToBytes(y));
  if (at >= fields.Fr.ORDER || value >= fields.Fr.ORDER) return false;
  const difference = pointOf(commitment).subtract(times(G1.Point.BASE, G1.Point.ZERO, value));
  const shifted = G2.Point.fromBytes(TAU_G2).subtract(times(G2.Point.BASE, G2.Point.ZERO, at));
  const pairs: { g1: G1Point; g2: G2Point }[] = [
    { g1: difference, g2: G2.Point.BASE.negate() },
    { g1: pointOf(proof), g2: shifted },
  ];
  const present = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return fields.Fp12.eql(bls12_381.pairingBatch(present), fields.Fp12.ONE);
}

/** Throws when it is not a point of the subgroup; the precompile then fails. */
function pointOf(compressed: string): G1Point {
  const point = bls12_381.G1.Point.fromBytes(hexToBytes(compressed));
  if (!point.is0()) point.assertValidity();
  return point;
}

/** The library of curves refuses to multiply by zero. */
function times<Point extends G1Point | G2Point>(base: Point, zero: Point, scalar: bigint): Point {
  return scalar === 0n ? zero : (base.multiplyUnsafe(scalar) as Point);
}
