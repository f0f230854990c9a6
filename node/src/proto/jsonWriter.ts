import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromBinary,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { FieldOptions } from './fieldOptions.ts';
import { decimalText, durationText, timestampText } from './jsonTexts.ts';
import { protoErrors } from './protoErrors.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

const LONG = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/**
 * Messages as the Cosmos SDK's gateway prints them: names as in the protobuf file, every field, 64-bit numbers as
 * text, bytes in base64 and null when empty, absent messages null unless they are not nullable, `Any` unpacked
 * with `@type`, decimals with their point.
 */
export function jsonWriter(
  registry: Registry,
  optionsOf: (field: DescField) => FieldOptions,
): (message: DescMessage, bytes: Uint8Array) => JsonObject {
  const decode = (desc: DescMessage, bytes: Uint8Array): ReflectMessage => {
    try {
      return reflect(desc, fromBinary(desc, bytes));
    } catch (cause) {
      throw protoErrors.bytes(desc.typeName, cause);
    }
  };

  const object = (message: ReflectMessage): JsonObject => {
    const json: Record<string, Json> = {};
    for (const field of message.fields) {
      if (field.oneof && !message.isSet(field)) continue;
      json[field.name] = fieldJson(message, field);
    }
    return json;
  };

  const fieldJson = (message: ReflectMessage, field: DescField): Json => {
    const value = message.get(field);
    if (field.fieldKind === 'list') {
      return Array.from(value as Iterable<unknown>, (item) => single(field, item));
    }
    if (field.fieldKind === 'map') {
      const entries = [...(value as ReadonlyMap<string, unknown>)];
      return Object.fromEntries(entries.map(([key, item]) => [String(key), single(field, item)]));
    }
    if (field.fieldKind === 'message' && !message.isSet(field) && !optionsOf(field).required) return null;
    return single(field, value);
  };

  const single = (field: DescField, value: unknown): Json => {
    if (field.message) return messageJson(value as ReflectMessage);
    if (field.enum) return enumJson(field.enum, value as number);
    const { number } = optionsOf(field);
    if (number) return numberText(number, value as string | Uint8Array);
    if (value instanceof Uint8Array) return value.length > 0 ? Buffer.from(value).toString('base64') : null;
    if (field.scalar !== undefined && LONG.has(field.scalar)) return String(value);
    return value as Json;
  };

  const messageJson = (message: ReflectMessage): Json => {
    const of = (name: string): unknown => message.get(message.desc.field[name]!);
    switch (message.desc.typeName) {
      case 'google.protobuf.Any':
        return anyJson(of('typeUrl') as string, of('value') as Uint8Array);
      case 'google.protobuf.Timestamp':
        return timestampText(of('seconds') as bigint, of('nanos') as number);
      case 'google.protobuf.Duration':
        return durationText(of('seconds') as bigint, of('nanos') as number);
      default:
        return object(message);
    }
  };

  const anyJson = (typeUrl: string, value: Uint8Array): Json => {
    const desc = registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
    if (!desc) return { '@type': typeUrl, value: Buffer.from(value).toString('base64') };
    return { '@type': typeUrl, ...object(decode(desc, value)) };
  };

  return (desc, bytes) => object(decode(desc, bytes));
}

function enumJson(desc: DescEnum, value: number): Json {
  return desc.value[value]?.name ?? value;
}

function numberText(kind: 'decimal' | 'integer', value: string | Uint8Array): string {
  const digits = typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
  return kind === 'decimal' ? decimalText(digits) : digits || '0';
}
