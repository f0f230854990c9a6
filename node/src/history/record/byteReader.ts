import { CodedError } from '@chain/platform';
import { bytesToBigint } from '../../primitives/index.ts';

/** Reads what `ByteWriter` wrote; bytes are views. Throws HISTORY_RECORD_INVALID at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  count(): number {
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
