import type { ReplayParts } from '../../tracing/index.ts';
import { InvalidParam } from '../rpcError.ts';
import { type Codec, jsonKind } from './codec.ts';

/** What a replay in Parity's form is to show. `vmTrace` is not offered: the struct logs of `debug_` are. */
export const replayTypesCodec: Codec<ReplayParts> = {
  schema: { type: 'array', items: { enum: ['trace', 'stateDiff'] } },
  decode: (value) => {
    if (!Array.isArray(value)) throw new InvalidParam(`trace types must be a list, not ${jsonKind(value)}`);
    for (const type of value) {
      if (type === 'vmTrace') throw new InvalidParam('vmTrace is not offered; ask debug_traceTransaction');
      if (type !== 'trace' && type !== 'stateDiff') {
        throw new InvalidParam(`${JSON.stringify(type)} is no trace type: trace or stateDiff`);
      }
    }
    return { trace: value.includes('trace'), stateDiff: value.includes('stateDiff') };
  },
};
