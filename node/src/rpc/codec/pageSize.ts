import { InvalidParam } from '../rpcError.ts';
import type { Codec } from './codec.ts';
import { countCodec } from './plainCodecs.ts';

/** Most transactions of one answer. */
const PAGE_MAX = 1000;

/** How many transactions a page may have. */
export const pageSizeCodec: Codec<number> = {
  schema: { anyOf: [{ type: 'integer', minimum: 0, maximum: PAGE_MAX }, { type: 'string' }] },
  decode: (value) => {
    const size = countCodec.decode(value);
    if (size > PAGE_MAX) throw new InvalidParam(`page size ${size} is above ${PAGE_MAX}`);
    return size;
  },
};
