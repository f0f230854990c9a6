import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import { COMPONENTS } from '../../node/src/rpc/index.ts';

type Schema = Readonly<Record<string, unknown>>;

// Their declarations name other exports than the packages have.
const load = createRequire(import.meta.url);
const { jsonSchema } = load('@json-schema-tools/meta-schema') as { readonly jsonSchema: Schema };
const { openrpcDocument } = load('@open-rpc/meta-schema') as { readonly openrpcDocument: Schema };
const ajv = new Ajv2019({ strict: false, allErrors: true });

/** A check against one of this program's own schemas, whose refs name components. */
export function validatorOf(schema: Schema): ValidateFunction {
  return ajv.compile({ allOf: [schema], components: { schemas: COMPONENTS } });
}

/**
 * A check against a result of the standard description. Its alternatives overlap (an empty list is a list of hashes
 * and one of logs), so one or more must fit.
 */
export function standardValidatorOf(schema: Schema): ValidateFunction {
  return ajv.compile(
    JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
      if (!isRecord(value) || !('oneOf' in value) || key === 'properties') return value;
      const { oneOf, ...others } = value;
      return { ...others, anyOf: oneOf };
    }) as Schema,
  );
}

/** A check of OpenRPC documents. */
export function openRpcValidator(): ValidateFunction {
  const metaAjv = new Ajv({ strict: false, allErrors: true });
  // The document's meta-schema names its own one with and without the slash.
  const { $schema: _itself, ...meta } = jsonSchema;
  metaAjv.addMetaSchema(meta);
  metaAjv.addSchema({ $ref: 'https://meta.json-schema.tools/' }, 'https://meta.json-schema.tools');
  return metaAjv.compile(openrpcDocument);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with a value, one line each; none when it fits. */
export function problems(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || '(whole)'} ${message} ${JSON.stringify(params)}`,
  );
}
