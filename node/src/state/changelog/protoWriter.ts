import { putUvarint } from '../../primitives/index.ts';

/** Writes protobuf parts one behind the other into a buffer whose size was computed before. */
export class ProtoWriter {
  readonly #buffer: Buffer;
  #offset = 0;

  constructor(length: number) {
    this.#buffer = Buffer.allocUnsafe(length);
  }

  uvarint(value: number): this {
    this.#offset = putUvarint(this.#buffer, this.#offset, value);
    return this;
  }

  /** Length-prefixed. */
  bytes(value: Uint8Array): this {
    this.uvarint(value.length);
    this.#buffer.set(value, this.#offset);
    this.#offset += value.length;
    return this;
  }

  /** Length-prefixed UTF-8. */
  text(value: string): this {
    return this.bytes(Buffer.from(value, 'utf8'));
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset, this.#offset);
  }
}
