import { InvalidParam } from '../rpcError.ts';
import { type Codec, jsonKind } from './codec.ts';
import type { GoPlace } from './hexCodecs.ts';

const mismatch = (value: unknown, goType: string) =>
  new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`);

export const booleanCodec: Codec<boolean> = {
  schema: { type: 'boolean' },
  decode: (value) => {
    if (typeof value !== 'boolean') throw mismatch(value, 'bool');
    return value;
  },
};

export const stringCodec: Codec<string> = {
  schema: { type: 'string' },
  decode: (value) => {
    if (typeof value !== 'string') throw mismatch(value, 'string');
    return value;
  },
};

const MAX_MILLISECONDS = 2 ** 31 - 1;

/** Milliseconds as a number of JSON or as a QUANTITY. */
export const millisecondsCodec: Codec<number> = {
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: MAX_MILLISECONDS },
      { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]{0,7})$' },
    ],
  },
  decode: (value) => {
    const isText = typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,7})$/.test(value);
    const number = isText ? Number(value) : value;
    const isNumber = typeof number === 'number' && Number.isSafeInteger(number);
    if (isNumber && number >= 0 && number <= MAX_MILLISECONDS) return number;
    throw new InvalidParam(`${JSON.stringify(value)} is no number of milliseconds, 0 to ${MAX_MILLISECONDS}`);
  },
};

/** A whole number of JSON. */
export function integerAt(place: GoPlace = (type) => `value of type ${type}`): Codec<number> {
  return {
    schema: { type: 'integer' },
    decode: (value) => {
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
      const what = typeof value === 'number' ? `number ${value}` : jsonKind(value);
      throw new InvalidParam(`json: cannot unmarshal ${what} into Go ${place('int')}`);
    },
  };
}

/** A count as geth's HexOrDecimal64: a number, or a string in decimal or hex. */
export const countCodec: Codec<number> = {
  schema: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] },
  decode: (value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!/^(0x[0-9a-f]{1,16}|\d{1,20})$/i.test(text)) {
      throw new InvalidParam(`invalid hex or decimal integer ${JSON.stringify(text)}`);
    }
    return Number(text);
  },
};

export const percentilesCodec: Codec<readonly number[]> = {
  schema: { type: 'array', items: { type: 'number', minimum: 0, maximum: 100 }, maxItems: 100 },
  decode: (value) => {
    if (!Array.isArray(value)) throw mismatch(value, '[]float64');
    for (const item of value) if (typeof item !== 'number') throw mismatch(item, 'float64');
    return value as number[];
  },
};
