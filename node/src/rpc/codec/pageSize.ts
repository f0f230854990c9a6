import { InvalidParam } from '../rpcError.ts';
import type { Codec } from './codec.ts';
import { countCodec } from './plainCodecs.ts';

/** Most transactions of one answer. */
const MAX_PAGE = 1000;

/** How many transactions a page may have. */
export const pageSizeCodec: Codec<number> = {
  schema: { anyOf: [{ type: 'integer', minimum: 0, maximum: MAX_PAGE }, { type: 'string' }] },
  decode: (value) => {
    const size = countCodec.decode(value);
    if (size > MAX_PAGE) throw new InvalidParam(`page size ${size} is above ${MAX_PAGE}`);
    return size;
  },
};
