/** What a tool may want back. */
export interface Bookmark {
  readonly height: number;
  /** What the chain's clock showed, in milliseconds. */
  readonly time: number;
}

/** Bookmarks by id; ids ascend from 1. */
export class SnapshotBook {
  readonly #marks = new Map<number, Bookmark>();
  #last = 0;

  take(mark: Bookmark): number {
    this.#marks.set(++this.#last, mark);
    return this.#last;
  }

  get(id: number): Bookmark | undefined {
    return this.#marks.get(id);
  }

  /** Forgets all; ids go on. */
  clear(): void {
    this.#marks.clear();
  }

  /** Forgets one and all that were taken after it. */
  drop(id: number): void {
    for (const later of this.#marks.keys()) if (later >= id) this.#marks.delete(later);
  }
}
