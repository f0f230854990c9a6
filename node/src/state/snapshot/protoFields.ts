import { concatBytes, writeUvarint } from '../../primitives/index.ts';
import { ProtoReader } from '../changelog/index.ts';

/** Nothing for 0, as protobuf has it. */
export function numberField(field: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array(0) : concatBytes(writeUvarint(field << 3), writeUvarint(value));
}

export function bytesField(field: number, value: Uint8Array): Uint8Array {
  return concatBytes(writeUvarint((field << 3) | 2), writeUvarint(value.length), value);
}

/** The fields of one message by number; others than numbers and bytes are passed over. Throws for no protobuf. */
export class ProtoFields {
  readonly #numbers = new Map<number, number>();
  readonly #bytes = new Map<number, Uint8Array[]>();

  constructor(message: Uint8Array) {
    const reader = new ProtoReader(message);
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      const field = Math.floor(tag / 8);
      if (tag % 8 === 0) this.#numbers.set(field, reader.uvarint());
      else if (tag % 8 === 2) this.#add(field, reader.bytes());
      else reader.skip(tag);
    }
  }

  /** In place: a peer's metadata may repeat a field a hundred thousand times. */
  #add(field: number, value: Uint8Array): void {
    const found = this.#bytes.get(field);
    if (found) found.push(value);
    else this.#bytes.set(field, [value]);
  }

  number(field: number): number {
    return this.#numbers.get(field) ?? 0;
  }

  bytes(field: number): Uint8Array {
    return this.all(field).at(-1) ?? new Uint8Array(0);
  }

  all(field: number): readonly Uint8Array[] {
    return this.#bytes.get(field) ?? [];
  }
}
