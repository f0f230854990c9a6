import { BLOCK_SCHEMAS } from './blockSchemas.ts';
import type { JsonSchema } from './jsonSchema.ts';
import { PARAMETER_SCHEMAS } from './parameterSchemas.ts';
import { PROOF_SCHEMAS } from './proofSchemas.ts';
import { TRACE_SCHEMAS } from './traceSchemas.ts';
import { TRANSACTION_SCHEMAS } from './transactionSchemas.ts';
import { VALUE_SCHEMAS } from './valueSchemas.ts';

/** Every schema that `ref` may name. */
export const COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  ...VALUE_SCHEMAS,
  ...TRANSACTION_SCHEMAS,
  ...BLOCK_SCHEMAS,
  ...PARAMETER_SCHEMAS,
  ...PROOF_SCHEMAS,
  ...TRACE_SCHEMAS,
};
