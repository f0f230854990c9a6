import { readSync } from 'node:fs';

const WINDOW_BYTES = 1 << 20;

/** Reads of a file through one bounded buffer, for access that mostly moves forward. */
export class FileWindow {
  readonly size: number;
  readonly #handle: number;
  #window: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #start = 0;

  constructor(handle: number, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** `length` bytes at `offset`, valid until the next call; `undefined` when the file ends before. */
  view(offset: number, length: number): Buffer | undefined {
    if (offset + length > this.size) return undefined;
    if (offset < this.#start || offset + length > this.#start + this.#window.length) {
      this.#fill(offset, Math.max(length, WINDOW_BYTES));
    }
    const from = offset - this.#start;
    const found = this.#window.subarray(from, from + length);
    return found.length === length ? found : undefined;
  }

  /** Offset of the next occurrence of `needle` at or behind `offset`, −1 when there is none. */
  find(needle: Uint8Array, offset: number): number {
    for (let at = offset; at + needle.length <= this.size; ) {
      const length = Math.min(WINDOW_BYTES, this.size - at);
      const found = this.view(at, length)?.indexOf(needle) ?? -1;
      if (found >= 0) return at + found;
      at += length === WINDOW_BYTES ? length - needle.length + 1 : length;
    }
    return -1;
  }

  #fill(offset: number, length: number): void {
    const buffer = Buffer.allocUnsafe(Math.min(length, this.size - offset));
    let filled = 0;
    while (filled < buffer.length) {
      const got = readSync(this.#handle, buffer, filled, buffer.length - filled, offset + filled);
      if (got === 0) break;
      filled += got;
    }
    this.#window = buffer.subarray(0, filled);
    this.#start = offset;
  }
}
