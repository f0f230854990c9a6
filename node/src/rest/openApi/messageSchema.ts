import type { FieldDescription, ProtoSchema } from '../../proto/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** Messages that have a JSON form of their own. */
const SPECIAL: Readonly<Record<string, Json>> = {
  'google.protobuf.Any': {
    type: 'object',
    properties: { '@type': { type: 'string' } },
    additionalProperties: true,
  },
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', example: '1814400s' },
};

/** A message as a JSON schema; other messages are references. */
export function schemaOf(typeName: string, schema: ProtoSchema): Json {
  const special = SPECIAL[typeName];
  if (special) return special;
  const { about, fields } = schema.describe(typeName);
  return {
    type: 'object',
    ...(about && { description: about }),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

/** The types that `roots` lead to, ascending. */
export function schemaNamesFrom(roots: readonly string[], schema: ProtoSchema): string[] {
  const names = new Set<string>();
  const visit = (typeName: string): void => {
    if (names.has(typeName)) return;
    names.add(typeName);
    if (SPECIAL[typeName]) return;
    for (const field of schema.describe(typeName).fields) if (field.typeName) visit(field.typeName);
  };
  roots.forEach(visit);
  return [...names].sort();
}

function fieldSchema({ type, format, typeName, choices, repeated, about }: FieldDescription): Json {
  const single = typeName
    ? { $ref: `#/components/schemas/${typeName}` }
    : { type, ...(format && { format }), ...(choices && { enum: choices }) };
  if (repeated) return { type: 'array', items: single, ...(about && { description: about }) };
  return typeName || !about ? single : { ...single, description: about };
}
