import { type Codec, jsonKind } from '../codec/codec.ts';
import { InvalidParam } from '../rpcError.ts';

const NUMBER = /^(0x[0-9a-f]{1,64}|\d{1,78})$/i;

/** A number as development tools send it: hex, with leading zeros or without, decimal text, or a JSON number. */
export const numberCodec: Codec<bigint> = {
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(0[xX][0-9a-fA-F]{1,64}|[0-9]{1,78})$' },
    ],
    description: 'number in hex or decimal, as text or as a JSON number',
  },
  decode: (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    if (typeof value === 'string' && NUMBER.test(value)) return BigInt(value);
    const what = typeof value === 'string' ? JSON.stringify(value) : jsonKind(value);
    throw new InvalidParam(
      `${what} is not a number; send hex, decimal text, or a JSON number that is not negative`,
    );
  },
};

/** The same where it counts seconds or blocks. */
export const smallNumberCodec: Codec<number> = {
  schema: numberCodec.schema,
  decode: (value) => {
    const number = Number(numberCodec.decode(value));
    if (!Number.isSafeInteger(number * 1000)) throw new InvalidParam(`${number} is too large`);
    return number;
  },
};
