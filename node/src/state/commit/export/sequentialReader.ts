import { damagedFile, type FlatFile } from '../memiavl/flatFiles.ts';
import { checkedParts } from '../memiavl/pageCache.ts';

const BUFFER_BYTES = 1 << 20;

/** Reads a range of a file from its start to its end through one buffer. */
export class SequentialReader {
  readonly #file: FlatFile;
  readonly #end: number;
  /** Where the buffer's end lies in the file. */
  #loaded: number;
  #at = 0;
  #filled = 0;
  buffer: Buffer;

  constructor(file: FlatFile, start: number, end: number) {
    this.#file = file;
    this.#end = end;
    this.#loaded = start;
    this.buffer = Buffer.allocUnsafe(Math.min(BUFFER_BYTES, Math.max(0, end - start)));
  }

  /** The place in the file of what is taken next. */
  get offset(): number {
    return this.#loaded - this.#filled + this.#at;
  }

  /** Takes the next bytes, which lie in `buffer` at the result until the next call. Throws STATE_COMMIT_SNAPSHOT_DAMAGED. */
  take(length: number): number {
    if (this.#at + length > this.#filled) this.#refill(length);
    const at = this.#at;
    this.#at += length;
    return at;
  }

  /** Un-takes what was taken last. */
  giveBack(length: number): void {
    this.#at -= length;
  }

  uint32(): number {
    const at = this.take(4);
    return this.buffer.readUInt32LE(at);
  }

  #refill(length: number): void {
    const rest = this.#filled - this.#at;
    if (length - rest > this.#end - this.#loaded) {
      throw damagedFile(this.#file.path, `ends in the midst of an entry at byte ${this.offset}`);
    }
    const old = this.buffer;
    if (length > old.length) this.buffer = Buffer.allocUnsafe(length);
    this.buffer.set(old.subarray(this.#at, this.#filled));
    const more = Math.min(this.buffer.length - rest, this.#end - this.#loaded);
    let at = rest;
    for (const part of checkedParts(this.#file, this.#loaded, this.#loaded + more)) {
      this.buffer.set(part, at);
      at += part.length;
    }
    this.#loaded += more;
    this.#at = 0;
    this.#filled = rest + more;
  }
}
