import { isCodedError } from '@chain/platform';
import { concatAll, readUvarint, utf8, writeUvarint } from '../../primitives/index.ts';

/** One field of a protobuf message: a varint (wire type 0) or bytes (wire type 2). */
export interface ProtobufField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The fields in wire order, or `undefined` when the bytes are not a message of varints and byte strings. */
export function readFields(bytes: Uint8Array): ProtobufField[] | undefined {
  const fields: ProtobufField[] = [];
  try {
    for (let at = 0; at < bytes.length; ) {
      const [tag, afterTag] = readUvarint(bytes, at);
      const [value, next] = readUvarint(bytes, afterTag);
      const number = Number(tag >> 3n);
      const wireType = Number(tag & 7n);
      if (wireType === 0) {
        fields.push({ number, value });
        at = next;
      } else {
        const end = next + Number(value);
        if (wireType !== 2 || end > bytes.length) return undefined;
        fields.push({ number, value: bytes.subarray(next, end) });
        at = end;
      }
    }
  } catch (error) {
    if (!isCodedError(error, 'VARINT_INVALID')) throw error;
    return undefined;
  }
  return fields;
}

/** Builds a message; fields are added in ascending order, default values are left out as proto3 does. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];

  varint(number: number, value: bigint): this {
    if (value !== 0n) this.#parts.push(writeUvarint(number << 3), writeUvarint(value));
    return this;
  }

  bytes(number: number, value: Uint8Array): this {
    return value.length === 0 ? this : this.message(number, value);
  }

  string(number: number, value: string): this {
    return this.bytes(number, utf8(value));
  }

  /** Written also when empty: elements of lists, and messages that are present without content. */
  message(number: number, value: Uint8Array): this {
    this.#parts.push(writeUvarint((number << 3) | 2), writeUvarint(value.length), value);
    return this;
  }

  finish(): Uint8Array {
    return concatAll(this.#parts);
  }
}
