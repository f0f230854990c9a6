import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';

const BUFFER_BYTES = 1 << 20;

/** Sequential writing of one file through one buffer; `pace` is told of every write. */
export class BufferedFile {
  readonly #handle: number;
  readonly #pace: (bytes: number) => void;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #written = 0;

  constructor(path: string, pace: (bytes: number) => void) {
    this.#handle = openSync(path, 'wx');
    this.#pace = pace;
  }

  /** Bytes written so far, also those still in the buffer. */
  get length(): number {
    return this.#written + this.#filled;
  }

  uint32(value: number): void {
    if (this.#filled + 4 > BUFFER_BYTES) this.#flush();
    this.#buffer.writeUInt32LE(value, this.#filled);
    this.#filled += 4;
  }

  bytes(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#writeOut(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** A place of `length` bytes in the buffer, to be filled before the next call. */
  place(length: number): { buffer: Buffer; offset: number } {
    if (this.#filled + length > BUFFER_BYTES) this.#flush();
    const offset = this.#filled;
    this.#filled += length;
    return { buffer: this.#buffer, offset };
  }

  finish(): void {
    this.#flush();
    fdatasyncSync(this.#handle);
    closeSync(this.#handle);
  }

  #flush(): void {
    if (this.#filled > 0) this.#writeOut(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #writeOut(bytes: Uint8Array): void {
    this.#pace(bytes.length);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#handle, bytes, done);
    this.#written += bytes.length;
  }
}
