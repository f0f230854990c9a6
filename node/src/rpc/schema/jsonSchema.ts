/** The JSON schema of a parameter or a result (draft 2019-09), for docs, the OpenRPC document and the tests. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema of `components.ts` by its name. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object with exactly these members: whatever a schema does not declare must not go over the wire. */
export function objectOf(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** An object that maps keys that match `pattern` to values. */
export function mapOf(pattern: string, values: JsonSchema): JsonSchema {
  return { type: 'object', patternProperties: { [pattern]: values }, additionalProperties: false };
}
