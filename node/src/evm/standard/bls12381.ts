import { bigintToFixedBytes, concatBytes, isZero } from '../../primitives/index.ts';
import { blsPoints } from './blsPoints.ts';
import { Lazy } from './lazy.ts';
import { FP_BYTES, type MclGroup } from './mcl.ts';
import { NOT_IN_FIELD, PairingCurve } from './pairingCurve.ts';

const BLS12_381 = 5;
/** A field element fills the last 48 of its 64 bytes (EIP-2537). */
const FIELD_BYTES = 64;
const PADDING = FIELD_BYTES - FP_BYTES;
const PRIME =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** One of the two groups: how many field elements its points have, and who judges whether one is in the subgroup. */
export interface BlsGroup {
  readonly name: 'g1' | 'g2';
  readonly pointBytes: number;
  /** Room of a point in the library's memory. */
  readonly room: number;
}

export const G1: BlsGroup = { name: 'g1', pointBytes: 2 * FIELD_BYTES, room: 3 * FP_BYTES };
export const G2: BlsGroup = { name: 'g2', pointBytes: 4 * FIELD_BYTES, room: 6 * FP_BYTES };

export const INVALID_LENGTH = 'invalid input length';
const OFF_CURVE_TEXT = 'invalid point: not on curve';
const SUBGROUP_TEXT: Readonly<Record<BlsGroup['name'], string>> = {
  g1: 'g1 point is not on correct subgroup',
  g2: 'g2 point is not on correct subgroup',
};

export const bls12381 = new Lazy(async () => {
  const prime = bigintToFixedBytes(PRIME, FP_BYTES);
  const curve = await PairingCurve.open({ curve: BLS12_381, fieldBytes: FP_BYTES, prime });
  return { curve, left: curve.place(G2.room), right: curve.place(G2.room) };
});

export function mclGroup({ name }: BlsGroup): MclGroup {
  return bls12381.opened.curve[name];
}

/** The field elements that `bytes` are; a text when one has bytes above the field's. */
export function fieldsOf(bytes: Uint8Array): Uint8Array[] | string {
  const fields: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += FIELD_BYTES) {
    if (!isZero(bytes.subarray(at, at + PADDING))) return 'invalid field element top bytes';
    fields.push(bytes.subarray(at + PADDING, at + FIELD_BYTES));
  }
  return fields;
}

/** A text is what is wrong with the point, in the order in which geth looks at it; the subgroup is not asked. */
export function putPoint(group: BlsGroup, to: number, bytes: Uint8Array): string | undefined {
  const fields = fieldsOf(bytes);
  if (typeof fields === 'string') return fields;
  return textOf(bls12381.opened.curve.putPoint(mclGroup(group), to, fields));
}

/** As `putPoint`, and a point outside the subgroup is wrong too. */
export function putMember(group: BlsGroup, to: number, bytes: Uint8Array): string | undefined {
  const problem = putPoint(group, to, bytes);
  if (problem) return problem;
  if (mclGroup(group).isZero(to)) return undefined;
  return isMember(group, fieldsOf(bytes) as Uint8Array[]) ? undefined : SUBGROUP_TEXT[group.name];
}

function isMember({ name }: BlsGroup, fields: readonly Uint8Array[]): boolean {
  if (name === 'g1') return blsPoints.isInG1(concatBytes(...fields));
  const [xr, xi, yr, yi] = fields;
  return blsPoints.isInG2(concatBytes(xi!, xr!, yi!, yr!));
}

export function takePoint(group: BlsGroup, at: number): Uint8Array {
  const coordinates = bls12381.opened.curve.coordinates(mclGroup(group), at);
  const bytes = new Uint8Array(group.pointBytes);
  for (const [i, field] of coordinates.entries()) bytes.set(field, i * FIELD_BYTES + PADDING);
  return bytes;
}

export function textOf(problem: string | undefined): string | undefined {
  if (problem === undefined) return undefined;
  return problem === NOT_IN_FIELD ? 'invalid fp.Element encoding' : OFF_CURVE_TEXT;
}
