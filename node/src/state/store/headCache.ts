const ENTRY_OVERHEAD_BYTES = 120;

/**
 * Heads of keys used of late, by row. Two generations instead of a list of uses: when the young one is full it
 * becomes the old one, and what is used meanwhile moves back.
 */
export class HeadCache {
  readonly #capacity: number;
  #young = new Map<string, Uint8Array>();
  #old = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes / 2;
  }

  get(id: string): Uint8Array | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.set(id, old);
    return old;
  }

  set(id: string, head: Uint8Array): void {
    this.#bytes += id.length + head.length + ENTRY_OVERHEAD_BYTES;
    if (this.#bytes > this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(id, head);
  }
}
