import { bigintToBytes, putUvarint } from '../../primitives/index.ts';

// Below this an integer travels as a varint twice its value and stays a safe number.
const SMALL_LIMIT = 2n ** 51n;

/** Appends values to a buffer that grows. The counterpart is `ByteReader`. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(4096);
  #length = 0;

  /** A safe non-negative integer as unsigned LEB128. */
  count(value: number): this {
    this.#reserve(8);
    this.#length = putUvarint(this.#buffer, this.#length, value);
    return this;
  }

  /** Any integer: small ones as an even count, others as an odd header (sign, length) and big-endian bytes. */
  integer(value: bigint): this {
    if (value >= 0n && value < SMALL_LIMIT) return this.count(Number(value) * 2);
    const bytes = bigintToBytes(value < 0n ? -value : value);
    this.count(bytes.length * 4 + (value < 0n ? 3 : 1));
    return this.raw(bytes);
  }

  bytes(value: Uint8Array): this {
    return this.count(value.length).raw(value);
  }

  optionalBytes(value: Uint8Array | null): this {
    return value === null ? this.count(0) : this.count(value.length + 1).raw(value);
  }

  text(value: string): this {
    const length = Buffer.byteLength(value);
    this.count(length).#reserve(length);
    this.#buffer.write(value, this.#length);
    this.#length += length;
    return this;
  }

  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.count(items.length);
    for (const item of items) write(item);
    return this;
  }

  raw(value: Uint8Array): this {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#buffer.subarray(0, this.#length));
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
