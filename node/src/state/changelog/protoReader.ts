import { CodedError } from '@chain/platform';

/** Reads protobuf fields of one message; every read checks the message's end. Bytes are views. */
export class ProtoReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #offset: number;

  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#end = end;
  }

  /** The next field's tag, 0 at the end of the message. */
  nextTag(): number {
    return this.#offset === this.#end ? 0 : this.uvarint();
  }

  /** A safe integer. */
  uvarint(): number {
    let value = 0;
    let scale = 1;
    while (this.#offset < this.#end) {
      const byte = this.#bytes[this.#offset++]!;
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) break;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    return this.#fail();
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const start = this.#take(this.uvarint());
    return this.#bytes.subarray(start, this.#offset) as Uint8Array<ArrayBuffer>;
  }

  text(): string {
    return Buffer.from(this.bytes()).toString('utf8');
  }

  message(): ProtoReader {
    const start = this.#take(this.uvarint());
    return new ProtoReader(this.#bytes, start, this.#offset);
  }

  skip(tag: number): void {
    const wireType = tag & 7;
    if (wireType === 0) this.uvarint();
    else if (wireType === 1) this.#take(8);
    else if (wireType === 2) this.#take(this.uvarint());
    else if (wireType === 5) this.#take(4);
    else this.#fail();
  }

  #take(length: number): number {
    const start = this.#offset;
    if (start + length > this.#end) return this.#fail();
    this.#offset = start + length;
    return start;
  }

  #fail(): never {
    throw new CodedError(
      'CHANGELOG_ENTRY_INVALID',
      `a changelog entry is not valid protobuf at byte ${this.#offset}; it was not written by this program`,
      { fields: { offset: this.#offset } },
    );
  }
}
