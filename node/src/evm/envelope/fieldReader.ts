import { bytesToBigint, hexToBytes } from '../../primitives/index.ts';
import { envelopeError } from './envelopeError.ts';
import { type ProtobufField, readFields } from './protobuf.ts';

const NO_BYTES = new Uint8Array(0);

/** Reads a message's fields by number, as the ledger's transaction data writes them (spec L-2). */
export class FieldReader {
  readonly #fields: readonly ProtobufField[];
  readonly #name: string;

  constructor(bytes: Uint8Array, name: string) {
    const fields = readFields(bytes);
    if (!fields) throw envelopeError(`${name} is not a protobuf message`);
    this.#fields = fields;
    this.#name = name;
  }

  uint64(number: number): bigint {
    const value = this.#last(number) ?? 0n;
    if (typeof value !== 'bigint') throw this.#wrong(number, 'a varint');
    return value;
  }

  bytes(number: number): Uint8Array {
    const value = this.#last(number) ?? NO_BYTES;
    if (typeof value === 'bigint') throw this.#wrong(number, 'bytes');
    return value;
  }

  list(number: number): Uint8Array[] {
    return this.#fields
      .filter((field) => field.number === number)
      .map(({ value }) => {
        if (typeof value === 'bigint') throw this.#wrong(number, 'bytes');
        return value;
      });
  }

  text(number: number): string {
    return Buffer.from(this.bytes(number)).toString('utf8');
  }

  /** A decimal text of at most 256 bits; absent is zero. */
  amount(number: number, name: string): bigint {
    const text = this.text(number);
    if (!/^\d{0,78}$/.test(text)) throw envelopeError(`invalid ${name}: not a decimal number`);
    const amount = BigInt(text === '' ? '0' : text);
    if (amount >= 1n << 256n) throw envelopeError(`invalid ${name}: exceeds 256 bits`);
    return amount;
  }

  /** Hex of 20 bytes. */
  address(number: number, name: string): Uint8Array {
    return exactHex(this.text(number), 20, name);
  }

  /** Big-endian without leading zeros. */
  signature(number: number, name: string, maxBytes = 32): bigint {
    const bytes = this.bytes(number);
    if (bytes.length > maxBytes) throw envelopeError(`invalid ${name}: too long`);
    if (bytes[0] === 0) throw envelopeError(`invalid ${name}: leading zero`);
    return bytesToBigint(bytes);
  }

  #last(number: number): bigint | Uint8Array | undefined {
    for (let i = this.#fields.length - 1; i >= 0; i--) {
      if (this.#fields[i]!.number === number) return this.#fields[i]!.value;
    }
    return undefined;
  }

  #wrong(number: number, kind: string) {
    return envelopeError(`field ${number} of ${this.#name} is not ${kind}`);
  }
}

export function exactHex(text: string, length: number, name: string): Uint8Array {
  if (text.length !== 2 + 2 * length) throw envelopeError(`invalid ${name}: wrong length`);
  if (!/^0x[0-9a-fA-F]*$/.test(text)) throw envelopeError(`invalid ${name}: not hex`);
  return hexToBytes(text);
}
