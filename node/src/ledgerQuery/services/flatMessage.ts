import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary';

type Kind = 'string' | 'bool' | 'uint32' | 'uint64';
type Values = {
  readonly string: string;
  readonly bool: boolean;
  readonly uint32: number;
  readonly uint64: bigint;
};
/** Field number and kind, by the field's name. */
type Layout = Readonly<Record<string, readonly [number, Kind]>>;
type MessageOf<L extends Layout> = { readonly [Name in keyof L]: Values[L[Name][1]] };

export interface FlatCodec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

const EMPTY = { string: '', bool: false, uint32: 0, uint64: 0n } as const;

/** A codec of the messages in node/proto/chain, which no library has generated. Default values are not written. */
export function flatMessage<const L extends Layout>(layout: L): FlatCodec<MessageOf<L>> {
  const fields = Object.entries(layout);
  const byNumber = new Map(fields.map(([name, [number, kind]]) => [number, { name, kind }]));
  return {
    encode: (message) => {
      const writer = BinaryWriter.create();
      for (const [name, [number, kind]] of fields) write(writer, number, kind, message[name] as never);
      return writer;
    },
    decode: (bytes) => {
      const reader = new BinaryReader(bytes);
      const message: Record<string, unknown> = {};
      for (const [name, [, kind]] of fields) message[name] = EMPTY[kind];
      while (reader.pos < reader.len) {
        const tag = reader.uint32();
        const field = byNumber.get(tag >>> 3);
        if (field) message[field.name] = reader[field.kind]();
        else reader.skipType(tag & 7);
      }
      return message as MessageOf<L>;
    },
  };
}

function write(writer: BinaryWriter, number: number, kind: Kind, value: Values[Kind]): void {
  if (value === EMPTY[kind]) return;
  if (kind === 'string') writer.uint32((number << 3) | 2).string(value as string);
  else if (kind === 'bool') writer.uint32(number << 3).bool(value as boolean);
  else if (kind === 'uint32') writer.uint32(number << 3).uint32(value as number);
  else writer.uint32(number << 3).uint64(value as bigint);
}

/** A message with one field, number 1, that is a message. */
export function wrapped<T, Name extends string>(
  name: Name,
  inner: FlatCodec<T>,
): FlatCodec<Readonly<Record<Name, T>>> {
  return {
    encode: (message) => BinaryWriter.create().uint32(10).bytes(inner.encode(message[name]).finish()),
    decode: (bytes) => {
      const reader = new BinaryReader(bytes);
      if (reader.pos < reader.len) reader.uint32();
      const value = inner.decode(reader.pos < reader.len ? reader.bytes() : new Uint8Array(0));
      return { [name]: value } as Readonly<Record<Name, T>>;
    },
  };
}
