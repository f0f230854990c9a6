import { isZero } from '../../primitives/index.ts';
import type { Interrupt } from '../evmEngine.ts';
import { FP_BYTES, FR_BYTES, GT_BYTES, type Mcl, type MclGroup, openMcl } from './mcl.ts';

const OFF_CURVE = 'off curve';
export const NOT_IN_FIELD = 'not in field';

export interface CurveOptions {
  /** The library's number of it. */
  readonly curve: number;
  /** Bytes of a coordinate. */
  readonly fieldBytes: number;
  /** The field's order, `fieldBytes` of it. */
  readonly prime: Uint8Array;
}

/** Pairs and points of a product that are worked on between two questions. */
export const BATCH = 64;

/**
 * A pairing-friendly curve in WebAssembly. Points lie at addresses that the caller takes from `place` once: nothing is
 * allocated while precompiles run. Affine coordinates are big-endian; zeros alone are the point at infinity.
 */
export class PairingCurve {
  readonly mcl: Mcl;
  readonly g1: MclGroup;
  readonly g2: MclGroup;
  readonly #options: CurveOptions;
  #view = new Uint8Array(0);
  readonly #text: number;
  readonly #batch: { readonly g1: number; readonly g2: number; readonly scalars: number };
  readonly #sum: number;
  readonly #part: number;

  static async open(options: CurveOptions): Promise<PairingCurve> {
    return new PairingCurve(options, await openMcl(options.curve));
  }

  private constructor(options: CurveOptions, mcl: Mcl & { readonly g1: MclGroup; readonly g2: MclGroup }) {
    this.#options = options;
    this.mcl = mcl;
    this.g1 = mcl.g1;
    this.g2 = mcl.g2;
    this.#text = this.place(FP_BYTES);
    this.#batch = {
      g1: this.place(BATCH * 3 * FP_BYTES),
      g2: this.place(BATCH * 6 * FP_BYTES),
      scalars: this.place(BATCH * FR_BYTES),
    };
    this.#sum = this.place(GT_BYTES);
    this.#part = this.place(GT_BYTES);
  }

  place(bytes: number): number {
    return this.mcl._malloc(bytes);
  }

  copy(to: number, from: number, bytes: number): void {
    this.#bytes.copyWithin(to, from, from + bytes);
  }

  /** Of `count` points of a batch that the caller fills. */
  get batch(): { readonly g1: number; readonly g2: number; readonly scalars: number } {
    return this.#batch;
  }

  /** Memory that has grown is another buffer. */
  get #bytes(): Uint8Array {
    const { buffer } = this.mcl.wasmMemory;
    if (this.#view.buffer !== buffer) this.#view = new Uint8Array(buffer);
    return this.#view;
  }

  /** False when the number is not below the prime. */
  putField(to: number, bytes: Uint8Array): boolean {
    if (Buffer.compare(bytes, this.#options.prime) >= 0) return false;
    copyReversed(this.#bytes, this.#text, bytes);
    return this.mcl._mclBnFp_setLittleEndian(to, this.#text, bytes.length) === 0;
  }

  field(from: number): Uint8Array {
    const { fieldBytes } = this.#options;
    this.mcl._mclBnFp_serialize(this.#text, fieldBytes, from);
    const bytes = new Uint8Array(fieldBytes);
    copyReversed(bytes, 0, this.#bytes.subarray(this.#text, this.#text + fieldBytes));
    return bytes;
  }

  /** Any number of 32 bytes, modulo the group's order. */
  putScalar(to: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#text);
    this.mcl._mclBnFr_setBigEndianMod(to, this.#text, bytes.length);
  }

  /**
   * A point of G1 (two coordinates) or of G2 (four: x and y, the real part of each first). A text is what is wrong with
   * it; whether it is in the subgroup is not asked.
   */
  putPoint(group: MclGroup, to: number, coordinates: readonly Uint8Array[]): string | undefined {
    const size = coordinates.length / 2;
    for (const [i, bytes] of coordinates.entries()) {
      if (!this.putField(to + i * FP_BYTES, bytes)) return NOT_IN_FIELD;
    }
    if (areZeros(coordinates)) {
      group.clear(to);
      return undefined;
    }
    const z = to + 2 * size * FP_BYTES;
    this.mcl._mclBnFp_setInt32(z, 1);
    if (size === 2) this.mcl._mclBnFp_clear(z + FP_BYTES);
    return group.isValid(to) === 1 ? undefined : OFF_CURVE;
  }

  /** Affine coordinates as `putPoint` takes them. */
  coordinates(group: MclGroup, at: number): Uint8Array[] {
    const count = group === this.g1 ? 2 : 4;
    if (group.isZero(at))
      return Array.from({ length: count }, () => new Uint8Array(this.#options.fieldBytes));
    group.normalize(at, at);
    return Array.from({ length: count }, (_, i) => this.field(at + i * FP_BYTES));
  }

  /** Whether the product of the pairings of so many pairs is one; `fill` puts those of a batch and gives their number. */
  isProductOne(
    pairs: number,
    fill: (from: number, to: number) => number | string,
    interrupt: Interrupt,
  ): boolean | string {
    const { mcl } = this;
    mcl._mclBnGT_setInt32(this.#sum, 1);
    for (let from = 0; from < pairs; from += BATCH) {
      if (from > 0) interrupt(0);
      const filled = fill(from, Math.min(pairs, from + BATCH));
      if (typeof filled === 'string') return filled;
      if (filled === 0) continue;
      mcl._mclBn_millerLoopVec(this.#part, this.#batch.g1, this.#batch.g2, filled);
      mcl._mclBnGT_mul(this.#sum, this.#sum, this.#part);
    }
    mcl._mclBn_finalExp(this.#sum, this.#sum);
    return mcl._mclBnGT_isOne(this.#sum) === 1;
  }
}

/** The other order of bytes. */
function copyReversed(to: Uint8Array, at: number, bytes: Uint8Array): void {
  const last = at + bytes.length - 1;
  for (let i = 0; i < bytes.length; i++) to[last - i] = bytes[i]!;
}

function areZeros(coordinates: readonly Uint8Array[]): boolean {
  for (const bytes of coordinates) if (!isZero(bytes)) return false;
  return true;
}
