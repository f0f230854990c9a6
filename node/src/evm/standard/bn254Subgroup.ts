import { bigintToFixedBytes } from '../../primitives/index.ts';
import { FP_BYTES } from './mcl.ts';
import type { PairingCurve } from './pairingCurve.ts';

const G2_BYTES = 6 * FP_BYTES;
const FP2_BYTES = 2 * FP_BYTES;
/** The parameter of the curve. */
const U = 4965661367192848881n;
/** (9 + i)^((p − 1) / 3) and (9 + i)^((p − 1) / 2): real and imaginary parts. */
const X_FACTOR = [
  0x2fb347984f7911f74c0bec3cf559b143b78cc310c2c3330c99e39557176f553dn,
  0x16c9e55061ebae204ba4cc8bd75a079432ae2a1d0b7c9dce1665d51c640fcba2n,
] as const;
const Y_FACTOR = [
  0x063cf305489af5dcdc5ec698b6e2f9b9dbaae0eda9c95998dc54014671a0135an,
  0x07c03cbcac41049a0704b5a7ec796f2b21807dc98fa25bd282d37f632623b0e3n,
] as const;

/**
 * Whether points of the twist of bn254 are in the subgroup: [u + 1]Q + ψ([u]Q) + ψ²([u]Q) = ψ³([2u]Q), one product by
 * 63 bits instead of one by the order ("Co-factor clearing and subgroup membership testing on pairing-friendly
 * curves", El Housni, Guillevic, Piellard).
 */
export class G2Subgroup {
  readonly #curve: PairingCurve;
  readonly #product: number;
  readonly #image: number;
  readonly #sum: number;
  readonly #factors: { readonly x: number; readonly y: number };

  constructor(curve: PairingCurve) {
    this.#curve = curve;
    this.#product = curve.place(G2_BYTES);
    this.#image = curve.place(G2_BYTES);
    this.#sum = curve.place(G2_BYTES);
    this.#factors = { x: this.#constant(X_FACTOR), y: this.#constant(Y_FACTOR) };
  }

  /** The point at infinity is. */
  has(point: number): boolean {
    const { g2 } = this.#curve;
    if (g2.isZero(point)) return true;
    this.#multiplyByU(this.#product, point);
    g2.add(this.#sum, this.#product, point);
    this.#endomorphism(this.#image, this.#product);
    g2.add(this.#sum, this.#sum, this.#image);
    this.#endomorphism(this.#image, this.#image);
    g2.add(this.#sum, this.#sum, this.#image);
    this.#endomorphism(this.#image, this.#image);
    g2.dbl(this.#image, this.#image);
    return g2.isEqual(this.#sum, this.#image) === 1;
  }

  /** By doubling and adding: the library's own product is right in the subgroup alone. */
  #multiplyByU(to: number, point: number): void {
    const { g2 } = this.#curve;
    this.#curve.copy(to, point, G2_BYTES);
    for (let bit = 61n; bit >= 0n; bit--) {
      g2.dbl(to, to);
      if ((U >> bit) & 1n) g2.add(to, to, point);
    }
  }

  /** ψ(x, y): both conjugated and multiplied. */
  #endomorphism(to: number, from: number): void {
    const { mcl } = this.#curve;
    this.#curve.copy(to, from, G2_BYTES);
    for (let i = 0; i < 3; i++) {
      const imaginary = to + i * FP2_BYTES + FP_BYTES;
      mcl._mclBnFp_neg(imaginary, imaginary);
    }
    mcl._mclBnFp2_mul(to, to, this.#factors.x);
    mcl._mclBnFp2_mul(to + FP2_BYTES, to + FP2_BYTES, this.#factors.y);
  }

  #constant([real, imaginary]: readonly [bigint, bigint]): number {
    const at = this.#curve.place(FP2_BYTES);
    this.#curve.putField(at, bigintToFixedBytes(real, 32));
    this.#curve.putField(at + FP_BYTES, bigintToFixedBytes(imaginary, 32));
    return at;
  }
}
