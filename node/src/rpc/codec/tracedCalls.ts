import type { ReplayParts } from '../../tracing/index.ts';
import { InvalidParam } from '../rpcError.ts';
import { type CallParameter, callRequestCodec } from './callRequest.ts';
import type { Codec } from './codec.ts';
import { jsonKind } from './codec.ts';
import { replayTypesCodec } from './replayTypes.ts';

/** Each runs on the state that the ones before left, so one answer cannot be asked for more. */
const MAX_CALLS = 100;

/** Pairs of a call and what its replay is to show. */
export const tracedCallsCodec: Codec<readonly (readonly [CallParameter, ReplayParts])[]> = {
  schema: {
    type: 'array',
    maxItems: MAX_CALLS,
    items: {
      type: 'array',
      prefixItems: [callRequestCodec.schema, replayTypesCodec.schema],
      minItems: 2,
      maxItems: 2,
    },
  },
  decode: (value) => {
    if (!Array.isArray(value)) throw new InvalidParam(`calls must be a list, not ${jsonKind(value)}`);
    if (value.length > MAX_CALLS)
      throw new InvalidParam(`too many calls: got ${value.length}, max ${MAX_CALLS}`);
    return value.map((pair: unknown, i) => {
      if (!Array.isArray(pair) || pair.length !== 2) {
        throw new InvalidParam(`call ${i} must be a pair of a call and its trace types`);
      }
      return [callRequestCodec.decode(pair[0]), replayTypesCodec.decode(pair[1])] as const;
    });
  },
};
