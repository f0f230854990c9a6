import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { type ReflectList, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { protoErrors } from './protoErrors.ts';

type Parameters = Iterable<readonly [string, string]>;

/** See ProtoSchema.fromParameters. */
export function parseParameters(desc: DescMessage, parameters: Parameters): Uint8Array {
  const message = create(desc);
  applyParameters(desc, message, parameters);
  return toBinary(desc, message);
}

/** Sets `pagination.limit` and the like; a repeated field is named once a value. Throws PROTO_BAD_INPUT. */
export function applyParameters(desc: DescMessage, message: Message, parameters: Parameters): void {
  const root = reflect(desc, message);
  for (const [name, text] of parameters) setAt(root, name.split('.'), { name, text });
}

interface Parameter {
  readonly name: string;
  readonly text: string;
}

function setAt(message: ReflectMessage, path: readonly string[], parameter: Parameter): void {
  const [head, ...rest] = path;
  const field = message.fields.find(({ name, jsonName }) => name === head || jsonName === head);
  if (!field) return;
  if (field.fieldKind === 'message') {
    if (rest.length === 0) throw protoErrors.parameter(parameter.name, 'a message has no text form');
    const child = message.get(field) as ReflectMessage;
    setAt(child, rest, parameter);
    message.set(field, child);
    return;
  }
  if (rest.length > 0) return;
  if (field.fieldKind === 'scalar' || field.fieldKind === 'enum')
    message.set(field, scalarValue(field, parameter));
  else if (field.fieldKind === 'list' && !field.message)
    (message.get(field) as ReflectList).add(scalarValue(field, parameter));
}

function scalarValue(field: DescField, parameter: Parameter): unknown {
  if (field.enum) return enumValue(field.enum, parameter);
  switch (field.scalar) {
    case ScalarType.STRING:
      return parameter.text;
    case ScalarType.BYTES:
      return bytesValue(parameter);
    case ScalarType.BOOL:
      return booleanValue(parameter);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return integerValue(parameter, 0n, 2n ** 64n - 1n);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return Number(integerValue(parameter, 0n, 2n ** 32n - 1n));
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return Number(integerValue(parameter, -(2n ** 31n), 2n ** 31n - 1n));
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return integerValue(parameter, -(2n ** 63n), 2n ** 63n - 1n);
    default:
      throw protoErrors.parameter(parameter.name, 'a field of this type cannot be a parameter');
  }
}

function integerValue({ name, text }: Parameter, least: bigint, most: bigint): bigint {
  const value = /^[+-]?\d{1,20}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (value === undefined) throw protoErrors.parameter(name, `parsing "${shown(text)}": invalid syntax`);
  if (value < least || value > most)
    throw protoErrors.parameter(name, `parsing "${shown(text)}": value out of range`);
  return value;
}

function booleanValue({ name, text }: Parameter): boolean {
  if (/^(1|t|true)$/i.test(text)) return true;
  if (/^(0|f|false)$/i.test(text)) return false;
  throw protoErrors.parameter(name, `parsing "${shown(text)}": invalid syntax`);
}

/** Base64 of either alphabet. A `+` that was not escaped arrives as a blank. */
function bytesValue({ name, text }: Parameter): Uint8Array {
  const base64 = text.replaceAll(' ', '+');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) throw protoErrors.parameter(name, 'illegal base64 data');
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

function enumValue(desc: DescEnum, { name, text }: Parameter): number {
  const known = desc.values.find((value) => value.name === text || String(value.number) === text);
  if (!known) throw protoErrors.parameter(name, `"${shown(text)}" is not a valid value`);
  return known.number;
}

function shown(text: string): string {
  return text.slice(0, 100);
}
