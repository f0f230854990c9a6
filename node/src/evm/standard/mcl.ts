import { createRequire } from 'node:module';

/** mcl in WebAssembly as its own code calls it: numbers of C, and addresses in its memory. */
export interface Mcl {
  readonly wasmMemory: { readonly buffer: ArrayBuffer };
  _malloc(bytes: number): number;
  _mclBn_init(curve: number, version: number): number;
  _mclBn_setMapToMode(mode: number): number;
  _mclBn_verifyOrderG1(on: number): void;
  _mclBn_verifyOrderG2(on: number): void;
  _mclBn_millerLoopVec(to: number, g1: number, g2: number, pairs: number): void;
  _mclBn_finalExp(to: number, from: number): void;
  _mclBnGT_isOne(at: number): number;
  _mclBnGT_mul(to: number, a: number, b: number): void;
  _mclBnGT_setInt32(to: number, value: number): void;
  _mclBnFr_setBigEndianMod(to: number, from: number, bytes: number): number;
  _mclBnFr_neg(to: number, from: number): void;
  _mclBnFp_setLittleEndian(to: number, from: number, bytes: number): number;
  _mclBnFp_setInt32(to: number, value: number): void;
  _mclBnFp_clear(at: number): void;
  _mclBnFp_neg(to: number, from: number): void;
  _mclBnFp_serialize(to: number, most: number, from: number): number;
  _mclBnFp_mapToG1(to: number, from: number): number;
  _mclBnFp2_mapToG2(to: number, from: number): number;
  _mclBnFp2_mul(to: number, a: number, b: number): void;
}

/** What there is for G1 and for G2 alike. */
export interface MclGroup {
  clear(at: number): void;
  isValid(at: number): number;
  isValidOrder(at: number): number;
  isZero(at: number): number;
  isEqual(a: number, b: number): number;
  normalize(to: number, from: number): void;
  add(to: number, a: number, b: number): void;
  dbl(to: number, from: number): void;
  neg(to: number, from: number): void;
  mul(to: number, point: number, scalar: number): void;
  mulVec(to: number, points: number, scalars: number, count: number): void;
}

/** Room of a field element, of a scalar and of an element of the target group, whichever the curve. */
export const FP_BYTES = 48;
export const FR_BYTES = 32;
export const GT_BYTES = 12 * FP_BYTES;
/** What the library was compiled for: ten times the units of a scalar and those of a field element. */
const VERSION = 46;
/** Fields to curves as RFC 9380 has it. */
const MAP_TO_MODE_RFC = 5;

const METHODS = [
  'clear',
  'isValid',
  'isValidOrder',
  'isZero',
  'isEqual',
  'normalize',
  'add',
  'dbl',
  'neg',
  'mul',
  'mulVec',
] as const;

/** An instance of the library for one curve. */
export async function openMcl(
  curve: number,
): Promise<Mcl & { readonly g1: MclGroup; readonly g2: MclGroup }> {
  const create = createRequire(import.meta.url)('mcl-wasm/dist/mcl_c.js') as (
    options: object,
  ) => Promise<Mcl>;
  const mcl = await create({});
  const status = mcl._mclBn_init(curve, VERSION);
  if (status !== 0) throw new TypeError(`mcl-wasm does not know curve ${curve} (status ${status})`);
  mcl._mclBn_setMapToMode(MAP_TO_MODE_RFC);
  // The subgroup is looked at where the precompile wants it.
  mcl._mclBn_verifyOrderG1(0);
  mcl._mclBn_verifyOrderG2(0);
  return { ...mcl, wasmMemory: mcl.wasmMemory, g1: groupOf(mcl, 'G1'), g2: groupOf(mcl, 'G2') };
}

function groupOf(mcl: Mcl, name: 'G1' | 'G2'): MclGroup {
  const functions = mcl as unknown as Record<string, unknown>;
  const methods = METHODS.map((method) => [method, functions[`_mclBn${name}_${method}`]]);
  return Object.fromEntries(methods) as MclGroup;
}
