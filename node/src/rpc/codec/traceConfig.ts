import type { AccountOverride, BlockOverrides } from '../../execution/index.ts';
import type { TraceConfig } from '../../tracing/index.ts';
import { ref } from '../schema/jsonSchema.ts';
import type { Codec } from './codec.ts';
import { goDuration } from './goDuration.ts';
import { quantityAt } from './hexCodecs.ts';
import { ObjectFields } from './objectFields.ts';
import { blockOverridesCodec, stateOverridesCodec } from './overrides.ts';
import { booleanCodec, integerAt, stringCodec } from './plainCodecs.ts';

/** A trace configuration of `debug_traceCall`: what a call may pretend beside how it is traced. */
export interface TraceCallConfig extends TraceConfig {
  readonly stateOverrides?: readonly AccountOverride[] | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
  /** Of a ledger transaction of the block: the call sees the state just before it. */
  readonly txIndex?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 5_000;
export const DEFAULT_TRACE_CONFIG: TraceConfig = { timeoutMs: DEFAULT_TIMEOUT_MS };

/** The options of traces (spec R-23); `reexec` and `overrides` are accepted and mean nothing here. */
export const traceConfigCodec: Codec<TraceConfig> = {
  schema: ref('TraceConfig'),
  decode: (value) => commonOptions(new ObjectFields(value, 'tracers.TraceConfig')),
};

export const traceCallConfigCodec: Codec<TraceCallConfig> = {
  schema: ref('TraceCallConfig'),
  decode: (value) => {
    const fields = new ObjectFields(value, 'tracers.TraceCallConfig');
    const txIndex = fields.optional('txIndex', (place) => quantityAt(64, place));
    return {
      ...commonOptions(fields),
      stateOverrides: fields.optional('stateOverrides', () => stateOverridesCodec),
      blockOverrides: fields.optional('blockOverrides', () => blockOverridesCodec),
      txIndex: txIndex === undefined ? undefined : Number(txIndex),
    };
  },
};

function commonOptions(fields: ObjectFields): TraceConfig {
  const flag = (name: string) => fields.optional(name, () => booleanCodec);
  const timeout = fields.optional('timeout', () => stringCodec);
  return {
    tracer: fields.optional('tracer', () => stringCodec),
    tracerConfig: fields.raw('tracerConfig'),
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : goDuration(timeout),
    enableMemory: flag('enableMemory'),
    disableStack: flag('disableStack'),
    disableStorage: flag('disableStorage'),
    enableReturnData: flag('enableReturnData'),
    limit: fields.optional('limit', integerAt),
  };
}
