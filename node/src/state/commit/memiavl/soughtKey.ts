import type { PersistedTree } from './persistedTree.ts';

const UNKNOWN = -1;

/**
 * A key and its place among the snapshot's leaves, found once, when first asked for: on its way down the tree it is
 * then compared with the snapshot's keys by number, without their pages.
 */
export class SoughtKey {
  readonly #base: PersistedTree | undefined;
  #bytes: Uint8Array;
  #place = UNKNOWN;
  #isThere = false;

  constructor(base: PersistedTree | undefined, bytes: Uint8Array = new Uint8Array(0)) {
    this.#base = base;
    this.#bytes = bytes;
  }

  /** From now on this is another key. */
  seek(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#place = UNKNOWN;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The first leaf of the snapshot whose key is not below this one; the number of leaves when there is none. */
  get place(): number {
    if (this.#place === UNKNOWN) this.#find();
    return this.#place;
  }

  /** Byte order against the key of the snapshot's leaf. */
  compareLeaf(leaf: number): number {
    if (this.#place === UNKNOWN) this.#find();
    if (leaf !== this.#place) return this.#place - leaf;
    return this.#isThere ? 0 : -1;
  }

  #find(): void {
    const base = this.#base!;
    this.#place = base.lowerBound(this.#bytes);
    this.#isThere = this.#place < base.leafCount && base.compareKey(this.#bytes, this.#place) === 0;
  }
}
