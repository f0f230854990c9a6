import type { AccountOverride, BlockOverrides } from '../../execution/index.ts';
import { InvalidParam } from '../rpcError.ts';
import { ref } from '../schema/jsonSchema.ts';
import { type CallParameter, callRequestCodec } from './callRequest.ts';
import type { Codec } from './codec.ts';
import { ObjectFields } from './objectFields.ts';
import { blockOverridesCodec, stateOverridesCodec } from './overrides.ts';
import { booleanCodec } from './plainCodecs.ts';

/** What eth_simulateV1 is asked for. */
export interface SimulatePayload {
  readonly blocks: readonly {
    readonly calls: readonly CallParameter[];
    readonly stateOverrides: readonly AccountOverride[];
    readonly blockOverrides: BlockOverrides;
  }[];
  readonly validation: boolean;
  readonly traceTransfers: boolean;
  readonly returnFullTransactions: boolean;
}

export const simulatePayloadCodec: Codec<SimulatePayload> = {
  schema: ref('SimulatePayload'),
  decode: (value) => {
    const fields = new ObjectFields(value, 'ethapi.simOpts');
    const flag = (name: string) => fields.optional(name, () => booleanCodec) ?? false;
    const blocks = fields.list('blockStateCalls', requestedBlock) ?? [];
    if (blocks.length === 0) throw new InvalidParam('empty input');
    return {
      blocks,
      validation: flag('validation'),
      traceTransfers: flag('traceTransfers'),
      returnFullTransactions: flag('returnFullTransactions'),
    };
  },
};

function requestedBlock(value: unknown) {
  const fields = new ObjectFields(value, 'ethapi.simBlock');
  return {
    calls: fields.list('calls', (call) => callRequestCodec.decode(call)) ?? [],
    stateOverrides: fields.optional('stateOverrides', () => stateOverridesCodec) ?? [],
    blockOverrides: fields.optional('blockOverrides', () => blockOverridesCodec) ?? {},
  };
}
