import { arrayOf, type JsonSchema, mapOf, nullable, objectOf, ref } from './jsonSchema.ts';
import { ADDRESS, DATA, HASH, QUANTITY } from './valueSchemas.ts';

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
/** `[evm] trace_hex` says whether it has `0x`. */
const WORD = { type: 'string', pattern: '^(0x)?[0-9a-f]{64}$' };
/** How a value went: `=` when it stayed, `+` when it came with its account, `-` when it left with it. */
const CHANGE = {
  anyOf: [
    { const: '=' },
    objectOf({ '+': text }),
    objectOf({ '-': text }),
    objectOf({ '*': objectOf({ from: text, to: text }) }),
  ],
};
const REPLAY = {
  output: DATA,
  stateDiff: nullable(mapOf('^0x[0-9a-f]{40}$', ref('ParityChanges'))),
  trace: arrayOf(ref('ParityFrame')),
  vmTrace: { type: 'null' },
};
const FRAME = {
  required: {
    action: { type: 'object' },
    subtraces: count,
    traceAddress: arrayOf(count),
    type: { enum: ['call', 'create', 'suicide'] },
  },
  optional: { error: text, result: { type: 'object' } },
};
const ACCOUNTS = mapOf('^0x[0-9a-f]{40}$', ref('TracedAccount'));

/** Traces as they go over the wire (spec R-23). What JavaScript gives may be anything. */
export const TRACE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  StructLog: objectOf(
    { pc: count, op: text, gas: count, gasCost: count, depth: count },
    {
      error: text,
      stack: arrayOf(QUANTITY),
      returnData: DATA,
      memory: arrayOf(WORD),
      storage: mapOf('^(0x)?[0-9a-f]{64}$', WORD),
      refund: count,
    },
  ),
  StructTrace: objectOf({
    gas: count,
    failed: { type: 'boolean' },
    returnValue: DATA,
    structLogs: arrayOf(ref('StructLog')),
  }),
  CallFrame: objectOf(
    { from: ADDRESS, gas: QUANTITY, gasUsed: QUANTITY, input: DATA, type: text },
    {
      to: ADDRESS,
      output: DATA,
      error: text,
      revertReason: text,
      value: QUANTITY,
      calls: arrayOf(ref('CallFrame')),
      logs: arrayOf(objectOf({ address: ADDRESS, topics: arrayOf(HASH), data: DATA, position: QUANTITY })),
    },
  ),
  TracedAccount: objectOf(
    {},
    {
      balance: QUANTITY,
      code: DATA,
      codeHash: HASH,
      nonce: count,
      storage: mapOf('^0x[0-9a-f]{64}$', HASH),
    },
  ),
  Prestate: ACCOUNTS,
  PrestateDiff: objectOf({ post: ACCOUNTS, pre: ACCOUNTS }),
  Trace: {
    description:
      "Whatever the tracer gives: StructTrace without one, a JavaScript tracer's own value with one",
    anyOf: [ref('StructTrace'), ref('CallFrame'), ref('PrestateDiff'), ref('Prestate'), {}],
  },
  ParityFrame: objectOf(FRAME.required, FRAME.optional),
  ParityTrace: objectOf(
    {
      ...FRAME.required,
      blockHash: HASH,
      blockNumber: count,
      transactionHash: HASH,
      transactionPosition: count,
    },
    FRAME.optional,
  ),
  ParityChanges: objectOf({
    balance: CHANGE,
    code: CHANGE,
    nonce: CHANGE,
    storage: mapOf('^0x[0-9a-f]{64}$', CHANGE),
  }),
  Replay: objectOf(REPLAY),
  ReplayedTransaction: objectOf({ ...REPLAY, transactionHash: HASH }),
  TracedTransaction: {
    oneOf: [objectOf({ txHash: HASH, result: ref('Trace') }), objectOf({ txHash: HASH, error: text })],
  },
};
