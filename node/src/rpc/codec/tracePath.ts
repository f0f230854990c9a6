import { InvalidParam } from '../rpcError.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';
import { type Codec, jsonKind } from './codec.ts';
import { quantityAt } from './hexCodecs.ts';

/** Frames do not nest deeper. */
const MAX_DEPTH = 1024;
const index = quantityAt(64);

/** Where a call stands in the tree of calls: each number is a place among siblings; none is the transaction itself. */
export const tracePathCodec: Codec<readonly number[]> = {
  schema: { type: 'array', items: QUANTITY, maxItems: MAX_DEPTH },
  decode: (value) => {
    if (!Array.isArray(value)) throw new InvalidParam(`a path must be a list, not ${jsonKind(value)}`);
    if (value.length > MAX_DEPTH) {
      throw new InvalidParam(`a path of ${value.length} steps is too long, max ${MAX_DEPTH}`);
    }
    return value.map((item) => Number(index.decode(item)));
  },
};
