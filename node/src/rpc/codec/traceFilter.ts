import { InvalidParam } from '../rpcError.ts';
import { ref } from '../schema/jsonSchema.ts';
import { type BlockNumberOrTag, blockNumberCodec } from './blockId.ts';
import { type Codec, jsonKind } from './codec.ts';
import { addressCodec } from './hexCodecs.ts';
import { ObjectFields } from './objectFields.ts';
import { countCodec, stringCodec } from './plainCodecs.ts';

/** Which flat traces of which blocks are wanted. */
export interface TraceFilter {
  readonly from: BlockNumberOrTag | undefined;
  readonly to: BlockNumberOrTag | undefined;
  readonly senders: readonly Uint8Array[] | undefined;
  readonly receivers: readonly Uint8Array[] | undefined;
  readonly mode: 'union' | 'intersection';
  /** How many to pass over, and how many to give at most. */
  readonly after: number;
  readonly count: number | undefined;
}

const MAX_ADDRESSES = 1000;

export const traceFilterCodec: Codec<TraceFilter> = {
  schema: ref('TraceFilter'),
  decode: (value) => {
    const fields = new ObjectFields(value, 'trace.Filter');
    const mode = fields.optional('mode', () => stringCodec) ?? 'union';
    if (mode !== 'union' && mode !== 'intersection') {
      throw new InvalidParam(`mode is union or intersection, not ${JSON.stringify(mode)}`);
    }
    return {
      from: fields.optional('fromBlock', () => blockNumberCodec),
      to: fields.optional('toBlock', () => blockNumberCodec),
      senders: addresses(fields.raw('fromAddress')),
      receivers: addresses(fields.raw('toAddress')),
      mode,
      after: fields.optional('after', () => countCodec) ?? 0,
      count: fields.optional('count', () => countCodec),
    };
  },
};

/** One address or a list of them; none when it is absent or empty. */
function addresses(value: unknown): Uint8Array[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [addressCodec.decode(value)];
  if (!Array.isArray(value)) {
    throw new InvalidParam(`addresses must be a list, not ${jsonKind(value)}`);
  }
  if (value.length > MAX_ADDRESSES) {
    throw new InvalidParam(`too many addresses: got ${value.length}, max ${MAX_ADDRESSES}`);
  }
  return value.length === 0 ? undefined : value.map((item) => addressCodec.decode(item));
}
