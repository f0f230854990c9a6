import { arrayOf, type JsonSchema, nullable, objectOf, ref } from './jsonSchema.ts';
import { ADDRESS, BLOCK_NUMBER_OR_TAG, BOOLEAN, DATA, HASH, QUANTITY, STRING } from './valueSchemas.ts';

/** Unknown members of parameters are ignored, as geth does; null is the same as absent. */
function parameter(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, nullable(schema)])),
  };
}

const TRACE_OPTIONS: Readonly<Record<string, JsonSchema>> = {
  tracer: { type: 'string' },
  tracerConfig: { type: 'object' },
  timeout: { type: 'string' },
  enableMemory: { type: 'boolean' },
  disableStack: { type: 'boolean' },
  disableStorage: { type: 'boolean' },
  enableReturnData: { type: 'boolean' },
  limit: { type: 'integer' },
};

const HEX_NUMBER: JsonSchema = { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{1,64}$' };
const storage: JsonSchema = { type: 'object', propertyNames: HASH, additionalProperties: HASH };

/** Objects that methods take. */
export const PARAMETER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  CallRequest: parameter({
    from: ADDRESS,
    to: ADDRESS,
    gas: QUANTITY,
    gasPrice: QUANTITY,
    maxFeePerGas: QUANTITY,
    maxPriorityFeePerGas: QUANTITY,
    value: QUANTITY,
    nonce: QUANTITY,
    data: DATA,
    input: DATA,
    chainId: QUANTITY,
    accessList: ref('AccessList'),
    authorizationList: arrayOf(ref('Authorization')),
  }),
  StateOverrides: {
    type: 'object',
    propertyNames: ADDRESS,
    additionalProperties: parameter({
      balance: QUANTITY,
      nonce: QUANTITY,
      code: DATA,
      state: storage,
      stateDiff: storage,
      movePrecompileToAddress: ADDRESS,
    }),
  },
  TraceConfig: parameter(TRACE_OPTIONS),
  TraceCallConfig: parameter({
    ...TRACE_OPTIONS,
    stateOverrides: ref('StateOverrides'),
    blockOverrides: ref('BlockOverrides'),
    txIndex: QUANTITY,
  }),
  BlockOverrides: parameter({
    number: QUANTITY,
    time: QUANTITY,
    gasLimit: QUANTITY,
    feeRecipient: ADDRESS,
    prevRandao: HASH,
    baseFeePerGas: QUANTITY,
    blobBaseFee: QUANTITY,
  }),
  AssociateRequest: objectOf({ v: HEX_NUMBER, r: HEX_NUMBER, s: HEX_NUMBER, custom_message: STRING }),
  LogCriteria: parameter({
    address: { anyOf: [ADDRESS, arrayOf(ADDRESS)] },
    topics: {
      type: 'array',
      maxItems: 4,
      items: { anyOf: [{ type: 'null' }, HASH, { ...arrayOf(nullable(HASH)), maxItems: 1000 }] },
    },
    fromBlock: BLOCK_NUMBER_OR_TAG,
    toBlock: BLOCK_NUMBER_OR_TAG,
    blockHash: HASH,
  }),
  TraceFilter: parameter({
    fromBlock: BLOCK_NUMBER_OR_TAG,
    toBlock: BLOCK_NUMBER_OR_TAG,
    fromAddress: { anyOf: [ADDRESS, arrayOf(ADDRESS)] },
    toAddress: { anyOf: [ADDRESS, arrayOf(ADDRESS)] },
    mode: { enum: ['union', 'intersection'] },
    after: { anyOf: [{ type: 'integer', minimum: 0 }, STRING] },
    count: { anyOf: [{ type: 'integer', minimum: 0 }, STRING] },
  }),
  SimulatePayload: {
    ...parameter({
      blockStateCalls: {
        ...arrayOf(
          parameter({
            blockOverrides: ref('BlockOverrides'),
            stateOverrides: ref('StateOverrides'),
            calls: arrayOf(ref('CallRequest')),
          }),
        ),
        minItems: 1,
      },
      traceTransfers: BOOLEAN,
      validation: BOOLEAN,
      returnFullTransactions: BOOLEAN,
    }),
    required: ['blockStateCalls'],
  },
};
