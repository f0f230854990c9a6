import {
  type BlsGroup,
  bls12381,
  fieldsOf,
  G1,
  G2,
  INVALID_LENGTH,
  mclGroup,
  putMember,
  putPoint,
  takePoint,
  textOf,
} from './bls12381.ts';
import { G1_DISCOUNTS, G2_DISCOUNTS } from './blsDiscounts.ts';
import { wordOfOne } from './input.ts';
import { FP_BYTES, FR_BYTES } from './mcl.ts';
import { BATCH, NOT_IN_FIELD } from './pairingCurve.ts';
import type { StandardPrecompile } from './standardPrecompile.ts';

const { preparing } = bls12381;
const SCALAR_BYTES = 32;
const PAIR_BYTES = G1.pointBytes + G2.pointBytes;

/** 0x0b and 0x0d: the sum of two points of the curve, in the subgroup or not. */
export const blsG1Add = addition(G1, 375);
export const blsG2Add = addition(G2, 600);
/** 0x0c and 0x0e: points of the subgroup by scalars, added. */
export const blsG1Msm = products(G1, 12_000, G1_DISCOUNTS);
export const blsG2Msm = products(G2, 22_500, G2_DISCOUNTS);
/** 0x10 and 0x11: a field element to a point of the subgroup. */
export const blsMapToG1 = mapping(G1, 5_500);
export const blsMapToG2 = mapping(G2, 23_800);

/** 0x0f: whether the product of pairings is one. */
export const blsPairing: StandardPrecompile = {
  gas: (input) => 37_700 + 32_600 * Math.floor(input.length / PAIR_BYTES),
  preparing,
  run: (input, interrupt) => {
    if (input.length === 0 || input.length % PAIR_BYTES !== 0) return INVALID_LENGTH;
    const { curve } = bls12381.opened;
    const { batch, g1, g2 } = curve;
    const fill = (from: number, to: number): number | string => {
      let filled = 0;
      for (let i = from; i < to; i++) {
        const pair = input.subarray(i * PAIR_BYTES, (i + 1) * PAIR_BYTES);
        const [left, right] = [batch.g1 + filled * G1.room, batch.g2 + filled * G2.room];
        const problem =
          putMember(G1, left, pair.subarray(0, G1.pointBytes)) ??
          putMember(G2, right, pair.subarray(G1.pointBytes));
        if (problem) return problem;
        // A pair with the point at infinity counts as one.
        if (!g1.isZero(left) && !g2.isZero(right)) filled++;
      }
      return filled;
    };
    const isOne = curve.isProductOne(input.length / PAIR_BYTES, fill, interrupt);
    if (typeof isOne === 'string') return isOne;
    return isOne ? wordOfOne() : new Uint8Array(32);
  },
};

function addition(group: BlsGroup, gas: number): StandardPrecompile {
  return {
    gas: () => gas,
    preparing,
    run: (input) => {
      if (input.length !== 2 * group.pointBytes) return INVALID_LENGTH;
      const { left, right } = bls12381.opened;
      const problem =
        putPoint(group, left, input.subarray(0, group.pointBytes)) ??
        putPoint(group, right, input.subarray(group.pointBytes));
      if (problem) return problem;
      mclGroup(group).add(left, left, right);
      return takePoint(group, left);
    },
  };
}

function products(group: BlsGroup, gas: number, discounts: readonly number[]): StandardPrecompile {
  const itemBytes = group.pointBytes + SCALAR_BYTES;
  return {
    gas: (input) => {
      const items = Math.floor(input.length / itemBytes);
      if (items === 0) return 0;
      const discount = discounts[Math.min(items, discounts.length) - 1]!;
      return Math.floor((items * gas * discount) / 1000);
    },
    preparing,
    run: (input, interrupt) => {
      if (input.length === 0 || input.length % itemBytes !== 0) return INVALID_LENGTH;
      const { curve, left, right } = bls12381.opened;
      const { add, clear, mulVec } = mclGroup(group);
      const points = curve.batch[group.name];
      const items = input.length / itemBytes;
      clear(left);
      for (let from = 0; from < items; from += BATCH) {
        if (from > 0) interrupt(0);
        const count = Math.min(BATCH, items - from);
        for (let i = 0; i < count; i++) {
          const item = input.subarray((from + i) * itemBytes, (from + i + 1) * itemBytes);
          const problem = putMember(group, points + i * group.room, item.subarray(0, group.pointBytes));
          if (problem) return problem;
          curve.putScalar(curve.batch.scalars + i * FR_BYTES, item.subarray(group.pointBytes));
        }
        mulVec(right, points, curve.batch.scalars, count);
        add(left, left, right);
      }
      return takePoint(group, left);
    },
  };
}

function mapping(group: BlsGroup, gas: number): StandardPrecompile {
  return {
    gas: () => gas,
    preparing,
    run: (input) => {
      if (input.length !== group.pointBytes / 2) return INVALID_LENGTH;
      const fields = fieldsOf(input);
      if (typeof fields === 'string') return fields;
      const { curve, left, right } = bls12381.opened;
      for (const [i, field] of fields.entries()) {
        if (!curve.putField(right + i * FP_BYTES, field)) return textOf(NOT_IN_FIELD)!;
      }
      if (group.name === 'g1') curve.mcl._mclBnFp_mapToG1(left, right);
      else curve.mcl._mclBnFp2_mapToG2(left, right);
      return takePoint(group, left);
    },
  };
}
