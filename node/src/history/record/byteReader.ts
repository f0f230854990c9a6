import { CodedError } from '@chain/platform';
import { bytesToBigint } from '../../primitives/index.ts';

/** Reads what `ByteWriter` wrote; bytes are views. Throws HISTORY_RECORD_INVALID at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** All that it reads from. */
  get content(): Uint8Array {
    return this.#bytes;
  }

  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  count(): number {
    const first = this.#bytes[this.#offset]!;
    if (first < 0x80) {
      this.#offset++;
      return first;
    }
    let value = 0;
    for (let scale = 1; this.#offset < this.#bytes.length; scale *= 0x80) {
      const byte = this.#bytes[this.#offset++]!;
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) break;
      if (byte < 0x80) return value;
    }
    return this.fail();
  }

  integer(): bigint {
    const header = this.count();
    if (header % 2 === 0) return BigInt(header / 2);
    const value = bytesToBigint(this.raw(Math.floor(header / 4)));
    return header % 4 === 3 ? -value : value;
  }

  bytes(): Uint8Array {
    return this.raw(this.count());
  }

  optionalBytes(): Uint8Array | null {
    const length = this.count();
    return length === 0 ? null : this.raw(length - 1);
  }

  text(): string {
    const length = this.count();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  list<T>(read: () => T): T[] {
    const length = this.count();
    // Every item takes a byte at least: a damaged length must not allocate.
    if (length > this.#bytes.length - this.#offset) this.fail();
    const items: T[] = new Array(length);
    for (let i = 0; i < length; i++) items[i] = read();
    return items;
  }

  /** Where the next value begins; may be set back to where one began. */
  get offset(): number {
    return this.#offset;
  }

  set offset(offset: number) {
    this.#offset = offset;
  }

  /** Steps over bytes or text; gives where their content begins. */
  skipBytes(): number {
    return this.#take(this.count());
  }

  skipOptionalBytes(): this {
    const length = this.count();
    if (length > 0) this.#take(length - 1);
    return this;
  }

  skipInteger(): this {
    const header = this.count();
    if (header % 2 === 1) this.#take(Math.floor(header / 4));
    return this;
  }

  /** Whether what was read since an offset is `expected`. */
  readSince(start: number, expected: Uint8Array): boolean {
    if (this.#offset - start !== expected.length) return false;
    // Numbers and addresses in words differ at their end.
    for (let i = expected.length - 1; i >= 0; i--) {
      if (this.#bytes[start + i] !== expected[i]) return false;
    }
    return true;
  }

  raw(length: number): Uint8Array {
    const start = this.#take(length);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  fail(): never {
    throw new CodedError(
      'HISTORY_RECORD_INVALID',
      `a block record is damaged at byte ${this.#offset}; restore data/history and data/changelog, or state sync`,
      { fields: { offset: this.#offset } },
    );
  }

  #take(length: number): number {
    const start = this.#offset;
    if (length > this.#bytes.length - start) this.fail();
    this.#offset = start + length;
    return start;
  }
}
