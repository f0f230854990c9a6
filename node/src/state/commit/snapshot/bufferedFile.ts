import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { encodePageSums, PAGE_BYTES, pageSumsPath } from '../memiavl/flatFiles.ts';

const BUFFER_BYTES = 1 << 20;
/** So long, copying byte by byte costs less than a view. */
const SHORT_FIELD = 256;

/** How far a file is durable: so many bytes, and their CRC-32. */
export interface FilePosition {
  readonly length: number;
  readonly sum: number;
}

/** Sequential writing of one flat file through one buffer, with its checksums; `pace` is told of every write. */
export class BufferedFile {
  readonly #path: string;
  readonly #handle: number;
  readonly #pace: (bytes: number) => void;
  readonly #buffer = Buffer.from(new ArrayBuffer(BUFFER_BYTES));
  readonly #words = new Uint32Array(this.#buffer.buffer);
  /** Of whole pages, and last of the page that is being written. */
  readonly #sums: number[] = [];
  /** Of all that is written. */
  #sum = 0;
  #filled = 0;
  #written = 0;

  /** A new file; with `from`, one that is gone on with behind that position. */
  constructor(path: string, pace: (bytes: number) => void, from?: FilePosition) {
    this.#path = path;
    this.#handle = openSync(path, from === undefined ? 'wx' : 'r+');
    this.#pace = pace;
    if (from !== undefined) this.#reread(from.length);
  }

  /** Makes all of it durable so far. */
  sync(): FilePosition {
    this.#flush();
    fdatasyncSync(this.#handle);
    return this.position;
  }

  /** What is written; right behind `sync` and the constructor it is all there is. */
  get position(): FilePosition {
    return { length: this.#written, sum: this.#sum };
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

  /** A field of `length` bytes: its length, and the bytes that lie at `at`. */
  field(bytes: Uint8Array, at: number, length: number): void {
    if (length > SHORT_FIELD) {
      this.uint32(length);
      this.bytes(bytes.subarray(at, at + length));
      return;
    }
    if (this.#filled + 4 + length > BUFFER_BYTES) this.#flush();
    const buffer = this.#buffer;
    buffer[this.#filled] = length;
    buffer[this.#filled + 1] = length >>> 8;
    buffer[this.#filled + 2] = 0;
    buffer[this.#filled + 3] = 0;
    const to = this.#filled + 4;
    for (let i = 0; i < length; i++) buffer[to + i] = bytes[at + i]!;
    this.#filled = to + length;
  }

  /** `count` words from `from` on, little-endian; of a file that holds nothing but words. */
  words(words: Uint32Array, from: number, count: number): void {
    if (this.#filled + 4 * count > BUFFER_BYTES) this.#flush();
    const to = this.#filled >>> 2;
    for (let i = 0; i < count; i++) this.#words[to + i] = words[from + i]!;
    this.#filled += 4 * count;
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
    if (this.#written === 0) return;
    writeFileSync(pageSumsPath(this.#path), encodePageSums(this.#sums), { flush: true });
  }

  /** Without finishing it. */
  close(): void {
    closeSync(this.#handle);
  }

  #flush(): void {
    if (this.#filled > 0) this.#writeOut(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  /** Takes up what lies there, up to `length` bytes, and cuts off the rest. */
  #reread(length: number): void {
    while (this.#written < length) {
      const wanted = Math.min(BUFFER_BYTES, length - this.#written);
      const read = readSync(this.#handle, this.#buffer, 0, wanted, this.#written);
      if (read === 0) break;
      this.#count(this.#buffer.subarray(0, read));
    }
    ftruncateSync(this.#handle, this.#written);
  }

  #count(bytes: Uint8Array): void {
    this.#sum = crc32(bytes, this.#sum);
    for (let at = 0; at < bytes.length; ) {
      const within = (this.#written + at) % PAGE_BYTES;
      const part = bytes.subarray(at, at + PAGE_BYTES - within);
      if (within === 0) this.#sums.push(0);
      this.#sums.push(crc32(part, this.#sums.pop()));
      at += part.length;
    }
    this.#written += bytes.length;
  }

  #writeOut(bytes: Uint8Array): void {
    this.#pace(bytes.length);
    const start = this.#written;
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#handle, bytes, done, bytes.length - done, start + done);
    }
    this.#count(bytes);
  }
}
