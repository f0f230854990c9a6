import type { HttpRule, ProtoMethod, ProtoSchema } from '../../proto/index.ts';
import { routedMethods } from '../routedMethods.ts';
import { schemaNamesFrom, schemaOf } from './messageSchema.ts';

type Json = Readonly<Record<string, unknown>>;

interface Source {
  readonly schema: ProtoSchema;
  /** Paths of the methods that are answered. */
  readonly paths: readonly string[];
  readonly release: string;
}

/** The file in the repository is of no release: it is of the commit that holds it. */
const REFERENCE_RELEASE = 'reference';

const ERROR = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'gRPC status code' },
    message: { type: 'string' },
    details: { type: 'array', items: {} },
  },
} as const;

/** docs/reference/openapi.json */
export function openApiReference(schema: ProtoSchema, paths: readonly string[]): string {
  return `${JSON.stringify(openApiDocument({ schema, paths, release: REFERENCE_RELEASE }), null, 1)}\n`;
}

/** The REST interface as OpenAPI 3.0, from the same routes that serve it. */
export function openApiDocument({ schema, paths, release }: Source): Json {
  const operations = routedMethods(schema, paths);
  const byPath: Record<string, Record<string, unknown>> = {};
  for (const { method, rule } of operations) {
    const path = rule.template.replaceAll('=**', '');
    byPath[path] ??= {};
    byPath[path][rule.verb.toLowerCase()] = operation(method, rule, schema);
  }
  const roots = operations.flatMap(({ method, rule }) => [
    method.output,
    ...(rule.body ? [method.input] : []),
  ]);
  return {
    openapi: '3.0.3',
    info: {
      title: 'chaind REST',
      version: release,
      description:
        'Queries and transactions of the ledger. With the header x-cosmos-block-height a query reads the state of a past height; 64-bit numbers are strings.',
    },
    paths: byPath,
    components: {
      schemas: {
        Error: ERROR,
        ...Object.fromEntries(schemaNamesFrom(roots, schema).map((name) => [name, schemaOf(name, schema)])),
      },
    },
  };
}

function operation(method: ProtoMethod, rule: HttpRule, schema: ProtoSchema): Json {
  const inPath = [...rule.template.matchAll(/\{([^}=]+)/g)].map(([, name]) => name!);
  const parameters = rule.body
    ? inPath.map((name) => pathParameter(name))
    : [...inPath.map((name) => pathParameter(name)), ...queryParameters(method.input, inPath, schema)];
  return {
    tags: [method.service],
    operationId: `${method.service}.${method.name}.${rule.template}`.replaceAll(/[^A-Za-z0-9]+/g, '_'),
    summary: method.about,
    parameters,
    ...(rule.body && { requestBody: { content: jsonOf(`#/components/schemas/${method.input}`) } }),
    responses: {
      200: { description: 'The answer', content: jsonOf(`#/components/schemas/${method.output}`) },
      default: { description: 'An error', content: jsonOf('#/components/schemas/Error') },
    },
  };
}

function jsonOf(ref: string): Json {
  return { 'application/json': { schema: { $ref: ref } } };
}

function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

/** Fields as parameters; those of a message inside by `pagination.limit` and the like. */
function queryParameters(
  typeName: string,
  without: readonly string[],
  schema: ProtoSchema,
  prefix = '',
): Json[] {
  return schema.describe(typeName).fields.flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (without.includes(name)) return [];
    if (field.typeName) {
      // One level: deeper messages cannot be asked for by parameters of a sensible kind.
      return prefix === '' && !field.repeated
        ? queryParameters(field.typeName, without, schema, `${name}.`)
        : [];
    }
    const { type, format, choices, about } = field;
    const single = { type, ...(format && { format }), ...(choices && { enum: choices }) };
    const shape = field.repeated ? { type: 'array', items: single } : single;
    return [{ name, in: 'query', required: false, description: about, schema: shape }];
  });
}
