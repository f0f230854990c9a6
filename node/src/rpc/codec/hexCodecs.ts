import { InvalidParam } from '../rpcError.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { ADDRESS, DATA, HASH, QUANTITY } from '../schema/valueSchemas.ts';
import type { Codec } from './codec.ts';

/** Where a value stands, as Go's decoder names it: `value of type X` or `struct field S.f of type X`. */
export type GoPlace = (type: string) => string;

const plainValue: GoPlace = (type) => `value of type ${type}`;

const HEX = /^[0-9a-fA-F]*$/;

/** Exactly `length` bytes: address (20) or hash (32). */
function fixedBytes(
  { length, goType, schema }: { length: number; goType: string; schema: JsonSchema },
  place: GoPlace = plainValue,
): Codec<Uint8Array> {
  return {
    schema,
    decode: (value) => {
      const digits = hexDigits(value, goType, place);
      if (digits.length !== length * 2) {
        throw new InvalidParam(`hex string has length ${digits.length}, want ${length * 2} for ${goType}`);
      }
      return digitsToBytes(digits, goType, place);
    },
  };
}

export function addressAt(place?: GoPlace): Codec<Uint8Array> {
  return fixedBytes({ length: 20, goType: 'common.Address', schema: ADDRESS }, place);
}

export function hashAt(place?: GoPlace): Codec<Uint8Array> {
  return fixedBytes({ length: 32, goType: 'common.Hash', schema: HASH }, place);
}

/** DATA of any length. */
export function dataAt(place: GoPlace = plainValue): Codec<Uint8Array> {
  return {
    schema: DATA,
    decode: (value) => digitsToBytes(hexDigits(value, 'hexutil.Bytes', place), 'hexutil.Bytes', place),
  };
}

/** QUANTITY up to `bits` bits (64 or 256); leading zeros are refused as geth does. */
export function quantityAt(bits: 64 | 256, place: GoPlace = plainValue): Codec<bigint> {
  const goType = bits === 64 ? 'hexutil.Uint64' : '*hexutil.Big';
  const refuse = (what: string) =>
    new InvalidParam(`json: cannot unmarshal ${what} into Go ${place(goType)}`);
  return {
    schema: QUANTITY,
    decode: (value) => {
      if (typeof value !== 'string') throw refuse('non-string');
      const problem = quantityProblem(value, bits);
      if (problem) throw refuse(problem);
      return BigInt(value);
    },
  };
}

export const addressCodec = addressAt();
export const hashCodec = hashAt();
export const dataCodec = dataAt();

/** Why a string is no QUANTITY, in geth's words; `undefined` when it is one. */
export function quantityProblem(text: string, bits: 64 | 256): string | undefined {
  if (text.length === 0) return 'empty hex string';
  if (!text.startsWith('0x') && !text.startsWith('0X')) return 'hex string without 0x prefix';
  const digits = text.slice(2);
  if (digits.length === 0) return 'hex string "0x"';
  if (digits.length > 1 && digits.startsWith('0')) return 'hex number with leading zero digits';
  if (digits.length > bits / 4) return `hex number > ${bits} bits`;
  return HEX.test(digits) ? undefined : 'invalid hex string';
}

function hexDigits(value: unknown, goType: string, place: GoPlace): string {
  const refuse = (what: string) =>
    new InvalidParam(`json: cannot unmarshal ${what} into Go ${place(goType)}`);
  if (typeof value !== 'string') throw refuse('non-string');
  if (value.length === 0) return '';
  if (!value.startsWith('0x') && !value.startsWith('0X')) throw refuse('hex string without 0x prefix');
  if (value.length % 2 !== 0) throw refuse('hex string of odd length');
  return value.slice(2);
}

// Buffer stops at the first character that is not hex, so a short result tells of one.
function digitsToBytes(digits: string, goType: string, place: GoPlace): Uint8Array {
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length * 2 !== digits.length) {
    throw new InvalidParam(`json: cannot unmarshal invalid hex string into Go ${place(goType)}`);
  }
  return bytes;
}
