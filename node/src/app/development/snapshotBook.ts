/** Heights that a tool may want back, by id; ids ascend from 1. */
export class SnapshotBook {
  readonly #heights = new Map<number, number>();
  #last = 0;

  take(height: number): number {
    this.#heights.set(++this.#last, height);
    return this.#last;
  }

  has(id: number): boolean {
    return this.#heights.has(id);
  }

  /** Forgets all; ids go on. */
  clear(): void {
    this.#heights.clear();
  }

  /** Gives its height, and forgets it and all that were taken after it. */
  drop(id: number): number {
    const height = this.#heights.get(id)!;
    for (const later of this.#heights.keys()) if (later >= id) this.#heights.delete(later);
    return height;
  }
}
