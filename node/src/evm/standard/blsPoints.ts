import { createRequire } from 'node:module';
import type * as Blst from '@chainsafe/blst';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { loadOrFallBack } from '../../primitives/index.ts';

/** Membership of points on BLS12-381, as the Zcash form has them uncompressed, and points from 48 bytes. */
export interface BlsPoints {
  /** A point of the curve, but not infinity: 96 bytes. */
  isInG1(point: Uint8Array): boolean;
  /** A point of the twist, but not infinity: 192 bytes, imaginary parts first. */
  isInG2(point: Uint8Array): boolean;
  /** 96 bytes for 48 that are a point of the subgroup other than infinity; `undefined` for all other bytes. */
  decompressG1(bytes: Uint8Array): Uint8Array | undefined;
}

/** By @noble/curves: everywhere, twenty times as slow. */
export const pureBlsPoints: BlsPoints = {
  isInG1: (point) => succeeds(() => bls12_381.G1.Point.fromBytes(point).assertValidity()),
  isInG2: (point) => succeeds(() => bls12_381.G2.Point.fromBytes(point).assertValidity()),
  decompressG1: (bytes) => {
    let result: Uint8Array | undefined;
    succeeds(() => {
      const point = bls12_381.G1.Point.fromBytes(bytes);
      point.assertValidity();
      if (!point.is0()) result = point.toBytes(false);
    });
    return result;
  },
};

/** By blst, natively. Throws where there is no binary for this system. */
export function loadBlst(): BlsPoints {
  const { PublicKey, Signature } = createRequire(import.meta.url)('@chainsafe/blst') as typeof Blst;
  return {
    isInG1: (point) => succeeds(() => PublicKey.fromBytes(point, true)),
    isInG2: (point) => succeeds(() => Signature.fromBytes(point, true, true)),
    decompressG1: (bytes) => {
      let result: Uint8Array | undefined;
      succeeds(() => {
        result = PublicKey.fromBytes(bytes, true).toBytes(false);
      });
      return result;
    },
  };
}

const loaded = loadOrFallBack('@chainsafe/blst', loadBlst, pureBlsPoints);
export const blsPoints = loaded.form;
/** Set where the points are judged by @noble/curves, for want of a binary. */
export const missingBlst = loaded.missing;

/** The libraries throw errors of their own for points that do not exist; a full stack is none of them. */
function succeeds(judge: () => unknown): boolean {
  try {
    judge();
    return true;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return false;
  }
}
