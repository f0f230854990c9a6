import { ByteSlab } from './byteSlab.ts';
import { compareWith } from './compareWith.ts';

const MAX_FENCES = 65_536;
/** Leaves between two: fewer would not save a page. */
const LEAST_STRIDE = 64;

/** Keys of evenly spaced leaves, kept in memory once read: the first steps of a search touch no page. */
export class Fences {
  readonly #leafCount: number;
  readonly #keyOf: (leaf: number) => Uint8Array;
  readonly #stride: number;
  readonly #slab = new ByteSlab();
  /** Where the key of leaf `stride`, `2 * stride`, … is kept, +1; 0 where it was not read yet. */
  readonly #references: Int32Array;
  readonly #lengths: Int32Array;

  constructor(leafCount: number, keyOf: (leaf: number) => Uint8Array) {
    this.#leafCount = leafCount;
    this.#keyOf = keyOf;
    this.#stride = Math.max(LEAST_STRIDE, Math.ceil(leafCount / MAX_FENCES));
    const count = Math.ceil(leafCount / this.#stride);
    this.#references = new Int32Array(count);
    this.#lengths = new Int32Array(count);
  }

  /** The first leaf whose key is ≥ `key` is one of these, both ends included. */
  around(key: Uint8Array): [first: number, last: number] {
    let low = 1;
    let high = this.#references.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(key, middle) > 0) low = middle + 1;
      else high = middle;
    }
    return [(low - 1) * this.#stride, Math.min(low * this.#stride, this.#leafCount)];
  }

  #compare(key: Uint8Array, index: number): number {
    let reference = this.#references[index]! - 1;
    if (reference < 0) {
      const fence = this.#keyOf(index * this.#stride);
      reference = this.#slab.put(fence);
      this.#references[index] = reference + 1;
      this.#lengths[index] = fence.length;
    }
    const segment = this.#slab.segmentOf(reference);
    return compareWith(key, segment, this.#slab.offsetOf(reference), this.#lengths[index]!);
  }
}
