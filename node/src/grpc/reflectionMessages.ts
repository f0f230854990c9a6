import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary';

/** What a ServerReflectionRequest asks for (grpc/reflection/v1/reflection.proto). */
export type ReflectionRequest =
  | { readonly kind: 'file' | 'symbol' | 'extensionNumbers'; readonly text: string }
  | { readonly kind: 'extension'; readonly text: string; readonly number: number }
  | { readonly kind: 'services' | 'unknown' };

export type ReflectionAnswer =
  | { readonly files: readonly Uint8Array[] }
  | { readonly typeName: string; readonly numbers: readonly number[] }
  | { readonly services: readonly string[] }
  | { readonly code: number; readonly message: string };

export function decodeRequest(bytes: Uint8Array): ReflectionRequest {
  try {
    return readRequest(new BinaryReader(bytes));
  } catch {
    return { kind: 'unknown' };
  }
}

function readRequest(reader: BinaryReader): ReflectionRequest {
  let request: ReflectionRequest = { kind: 'unknown' };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    switch (tag >>> 3) {
      case 3:
        request = { kind: 'file', text: reader.string() };
        break;
      case 4:
        request = { kind: 'symbol', text: reader.string() };
        break;
      case 5:
        request = readExtension(new BinaryReader(reader.bytes()));
        break;
      case 6:
        request = { kind: 'extensionNumbers', text: reader.string() };
        break;
      case 7:
        reader.string();
        request = { kind: 'services' };
        break;
      default:
        reader.skipType(tag & 7);
    }
  }
  return request;
}

function readExtension(reader: BinaryReader): ReflectionRequest {
  let text = '';
  let number = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) text = reader.string();
    else if (tag >>> 3 === 2) number = reader.int32();
    else reader.skipType(tag & 7);
  }
  return { kind: 'extension', text, number };
}

/** A ServerReflectionResponse; it carries the request along. */
export function encodeResponse(
  original: Uint8Array,
  request: ReflectionRequest,
  answer: ReflectionAnswer,
): Uint8Array {
  const writer = BinaryWriter.create();
  if (request.kind !== 'unknown') writer.uint32(tagOf(2)).bytes(original);
  if ('files' in answer) {
    const files = BinaryWriter.create();
    for (const file of answer.files) files.uint32(tagOf(1)).bytes(file);
    return writer.uint32(tagOf(4)).bytes(files.finish()).finish();
  }
  if ('numbers' in answer) {
    const numbers = BinaryWriter.create().uint32(tagOf(1)).string(answer.typeName);
    for (const number of answer.numbers) numbers.uint32(2 << 3).int32(number);
    return writer.uint32(tagOf(5)).bytes(numbers.finish()).finish();
  }
  if ('services' in answer) {
    const list = BinaryWriter.create();
    for (const name of answer.services) {
      list.uint32(tagOf(1)).bytes(BinaryWriter.create().uint32(tagOf(1)).string(name).finish());
    }
    return writer.uint32(tagOf(6)).bytes(list.finish()).finish();
  }
  const error = BinaryWriter.create()
    .uint32(1 << 3)
    .int32(answer.code)
    .uint32(tagOf(2))
    .string(answer.message);
  return writer.uint32(tagOf(7)).bytes(error.finish()).finish();
}

/** The tag of a field whose length stands before it. */
const tagOf = (field: number): number => (field << 3) | 2;
