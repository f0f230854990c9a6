/** Longer ones are made anew each time. */
const MAX_KEPT = 512;

/** Memory of exact lengths that is used over and over: what is written to it must be copied before the next `of`. */
export class ScratchBytes {
  readonly #kept: (Uint8Array | undefined)[] = new Array(MAX_KEPT + 1).fill(undefined);

  of(length: number): Uint8Array {
    if (length > MAX_KEPT) return new Uint8Array(length);
    let bytes = this.#kept[length];
    if (bytes === undefined) {
      bytes = new Uint8Array(length);
      this.#kept[length] = bytes;
    }
    return bytes;
  }
}
