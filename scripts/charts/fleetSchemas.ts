import { parse } from 'yaml';
import { definitionTexts } from '../../operator/src/api/index.ts';
import { QUANTITY } from './chartFiles.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
  readonly [key: string]: unknown;
}

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

/** Only what a value may be: what must be there, and what is there without being given, the API server says. */
const KEPT = [
  'description',
  'type',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
];

/** Schemas of the fleet chart's `node` and `fleet`, from the resource that they become part of. */
export function fleetSchemas(): Readonly<Record<'node' | 'fleet', Schema>> {
  const definition = parse(definitionTexts().get('chainnodefleets')!) as Definition;
  const spec = definition.spec.versions[0]!.schema.openAPIV3Schema.properties!.spec!;
  const { template, replicas: _, ...fleet } = spec.properties!;
  return {
    node: jsonSchema(template!.properties!.spec!),
    fleet: jsonSchema({ ...spec, properties: fleet }),
  };
}

/** Charts know no rules: of these the form is checked. */
const isAmount = (schema: Schema): boolean =>
  schema['x-kubernetes-validations']?.some(({ rule }) => /(^|: )isQuantity\(self\) &&/.test(rule)) ?? false;

function jsonSchema(schema: Schema): Schema {
  const kept = Object.fromEntries(KEPT.filter((key) => key in schema).map((key) => [key, schema[key]]));
  const { properties, items } = schema;
  const inner = properties && Object.entries(properties).map(([name, one]) => [name, jsonSchema(one)]);
  const isClosed = inner && !schema['x-kubernetes-preserve-unknown-fields'];
  return {
    ...kept,
    ...(isAmount(schema) && QUANTITY),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: jsonSchema(schema.additionalProperties),
    }),
    ...(inner && { properties: Object.fromEntries(inner) as Record<string, Schema> }),
    ...(isClosed && { additionalProperties: false }),
    ...(items && { items: jsonSchema(items) }),
  };
}
