import type { JsonSchema } from '../schema/jsonSchema.ts';

const REF = '#/components/schemas/';

/** A schema in words, in Markdown: `[Block](#block) or null`. `whole` writes the members of an object out as a list. */
export function schemaText(schema: JsonSchema, objects: 'inline' | 'whole' = 'inline'): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(REF.length);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (Array.isArray(schema.anyOf)) return alternatives(schema.anyOf as JsonSchema[]);
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array') return `array of ${schemaText((schema.items ?? {}) as JsonSchema)}`;
  if (schema.type === 'object') return objectText(schema, objects);
  return scalarText(schema);
}

function alternatives(schemas: readonly JsonSchema[]): string {
  return schemas.map((schema) => schemaText(schema)).join(' or ');
}

function scalarText({ type, pattern, description }: JsonSchema): string {
  if (typeof description === 'string') return description;
  if (type === undefined) return 'any value';
  return `${String(type)}${typeof pattern === 'string' ? ` \`${pattern}\`` : ''}`;
}

function objectText(schema: JsonSchema, objects: 'inline' | 'whole'): string {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (members.length === 0) return mapText(schema);
  const required = new Set((schema.required ?? []) as string[]);
  const texts = members.map(
    ([name, member]) => `\`${name}\`${required.has(name) ? '' : '?'} ${schemaText(member)}`,
  );
  return objects === 'whole' ? `\n${texts.map((text) => `- ${text}`).join('\n')}` : `{ ${texts.join(', ')} }`;
}

function mapText({ additionalProperties, patternProperties }: JsonSchema): string {
  const [values] = Object.values((patternProperties ?? {}) as Record<string, JsonSchema>);
  const value = values ?? additionalProperties;
  return typeof value === 'object' && value !== null ? `map to ${schemaText(value as JsonSchema)}` : 'object';
}
