import { bigintToFixedBytes, concatBytes } from '../../primitives/index.ts';
import type { Interrupt } from '../evmEngine.ts';
import { G2Subgroup } from './bn254Subgroup.ts';
import { bytesAt, wordOfOne } from './input.ts';
import { Lazy } from './lazy.ts';
import { FP_BYTES, FR_BYTES } from './mcl.ts';
import { NOT_IN_FIELD, PairingCurve } from './pairingCurve.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

const BN_SNARK1 = 4;
const WORD = 32;
const PAIR_BYTES = 6 * WORD;
const PRIME = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;

const TEXTS: Readonly<Record<string, string>> = { [NOT_IN_FIELD]: 'invalid fp.Element encoding' };

const bn254 = new Lazy(async () => {
  const prime = bigintToFixedBytes(PRIME, WORD);
  const curve = await PairingCurve.open({ curve: BN_SNARK1, fieldBytes: WORD, prime });
  return {
    curve,
    left: curve.place(3 * FP_BYTES),
    right: curve.place(3 * FP_BYTES),
    scalar: curve.place(FR_BYTES),
    subgroup: new G2Subgroup(curve),
  };
});

/** 0x06 (EIP-196) */
export const bn254Add: StandardPrecompile = {
  gas: () => 150,
  preparing: bn254.preparing,
  run: (input) => {
    const { curve, left, right } = bn254.opened;
    const problem = putG1(left, bytesAt(input, 0, 64)) ?? putG1(right, bytesAt(input, 64, 64));
    if (problem) return problem;
    curve.g1.add(left, left, right);
    return takeG1(left);
  },
};

/** 0x07 (EIP-196) */
export const bn254Mul: StandardPrecompile = {
  gas: () => 6_000,
  preparing: bn254.preparing,
  run: (input) => {
    const { curve, left, scalar } = bn254.opened;
    const problem = putG1(left, bytesAt(input, 0, 64));
    if (problem) return problem;
    curve.putScalar(scalar, bytesAt(input, 64, WORD));
    curve.g1.mul(left, left, scalar);
    return takeG1(left);
  },
};

/** 0x08 (EIP-197) */
export const bn254Pairing: StandardPrecompile = {
  gas: (input) => 45_000 + 34_000 * Math.floor(input.length / PAIR_BYTES),
  preparing: bn254.preparing,
  run: (input, interrupt) => {
    if (input.length % PAIR_BYTES !== 0) return 'bad elliptic curve pairing size';
    const isOne = isProductOne(input, interrupt);
    if (typeof isOne === 'string') return isOne;
    return isOne ? wordOfOne() : new Uint8Array(WORD);
  },
};

function isProductOne(input: Uint8Array, interrupt: Interrupt): boolean | string {
  const { curve } = bn254.opened;
  const { batch, g1, g2 } = curve;
  const fill = (from: number, to: number): number | string => {
    let filled = 0;
    for (let i = from; i < to; i++) {
      const at = i * PAIR_BYTES;
      const left = batch.g1 + filled * 3 * FP_BYTES;
      const right = batch.g2 + filled * 6 * FP_BYTES;
      const pair = input.subarray(at, at + PAIR_BYTES);
      const problem = putG1(left, pair.subarray(0, 64)) ?? putG2(right, pair.subarray(64));
      if (problem) return problem;
      // A pair with the point at infinity counts as one.
      if (!g1.isZero(left) && !g2.isZero(right)) filled++;
    }
    return filled;
  };
  return curve.isProductOne(input.length / PAIR_BYTES, fill, interrupt);
}

function putG1(to: number, bytes: Uint8Array): string | undefined {
  const { curve } = bn254.opened;
  return textOf(curve.putPoint(curve.g1, to, wordsOf(bytes)));
}

/** The imaginary parts come first. */
function putG2(to: number, bytes: Uint8Array): string | undefined {
  const { curve, subgroup } = bn254.opened;
  const [xi, xr, yi, yr] = wordsOf(bytes);
  const problem = textOf(curve.putPoint(curve.g2, to, [xr!, xi!, yr!, yi!]));
  if (problem) return problem;
  return subgroup.has(to) ? undefined : 'point is not in correct subgroup';
}

function takeG1(at: number): Uint8Array {
  const { curve } = bn254.opened;
  return concatBytes(...curve.coordinates(curve.g1, at));
}

function wordsOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / WORD }, (_, i) => bytes.subarray(i * WORD, i * WORD + WORD));
}

function textOf(problem: string | undefined): string | undefined {
  return problem && (TEXTS[problem] ?? 'point is not on curve');
}
