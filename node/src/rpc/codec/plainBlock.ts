import { type BlockNumberOrTag, blockNumberCodec } from './blockId.ts';
import type { Codec } from './codec.ts';

/** A block number or tag; Otterscan sends numbers as JSON numbers. */
export const plainBlockCodec: Codec<BlockNumberOrTag> = {
  schema: { anyOf: [{ type: 'integer', minimum: 0 }, blockNumberCodec.schema] },
  decode: (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    return blockNumberCodec.decode(value);
  },
};
