import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { parseDecimal } from '../primitives/index.ts';
import type { FieldOptions } from './fieldOptions.ts';
import { protoErrors } from './protoErrors.ts';

/** JSON of a message with its decimals (`0.1`) as the wire has them: scaled by 10^18. Throws PROTO_BAD_INPUT. */
export function scaleDecimals(
  registry: Registry,
  optionsOf: (field: DescField) => FieldOptions,
): (desc: DescMessage, json: JsonValue) => JsonValue {
  const isObject = (json: JsonValue): json is JsonObject =>
    typeof json === 'object' && json !== null && !Array.isArray(json);
  const object = (desc: DescMessage, json: JsonValue): JsonValue => {
    if (!isObject(json)) return json;
    const inner = desc.typeName === 'google.protobuf.Any' ? typeOf(registry, json) : desc;
    if (!inner) return json;
    const entries = Object.entries(json).map(([name, value]): [string, JsonValue] => {
      const field = inner.fields.find((it) => it.name === name || it.jsonName === name);
      return [name, field ? member(field, value) : value];
    });
    return Object.fromEntries(entries);
  };
  const member = (field: DescField, value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => single(field, item));
    return single(field, value);
  };
  const single = (field: DescField, value: JsonValue): JsonValue => {
    if (field.fieldKind !== 'map' && field.message) return object(field.message, value);
    if (optionsOf(field).number !== 'decimal' || typeof value !== 'string' || value === '') return value;
    const scaled = parseDecimal(value);
    if (scaled === undefined) throw protoErrors.body(`${field.name}: "${value.slice(0, 60)}" is no decimal`);
    const digits = scaled.toString();
    return field.scalar === ScalarType.BYTES ? Buffer.from(digits).toString('base64') : digits;
  };
  return object;
}

function typeOf(registry: Registry, json: JsonObject): DescMessage | undefined {
  const url = json['@type'];
  return typeof url === 'string' ? registry.getMessage(url.slice(url.lastIndexOf('/') + 1)) : undefined;
}
