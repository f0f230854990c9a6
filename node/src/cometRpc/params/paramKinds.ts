import { invalidParams } from '../rpcFailure.ts';
import { parseGoJson, wrongKind } from './goJson.ts';

/**
 * How one kind of parameter is read from either form of a call. JSON: 64-bit integers are strings, bytes are
 * base64 (or hex for hashes). URI: numbers stand bare or quoted, `0x…` is hex, a quoted string is its own bytes.
 */
export interface ParamKind<T> {
  /** As the reference names it. */
  readonly name: string;
  /** When the parameter is not given. */
  readonly absent: T;
  fromJson(value: unknown): T;
  fromUri(text: string): T;
}

const MAX_INT64 = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const BARE_INTEGER = /^-?\d+$/;
const HEX_PREFIX = /^0x/i;

/** A 64-bit integer; `undefined` when it is not given. */
export const optionalInteger: ParamKind<number | undefined> = {
  name: 'integer',
  absent: undefined,
  fromJson: (value) => (value === null ? undefined : integerFromJson(value, 'int64')),
  fromUri: (text) => integerFromUri(text, 'int64'),
};

/** A 64-bit integer; 0 when it is not given. */
export const integer: ParamKind<number> = {
  name: 'integer',
  absent: 0,
  fromJson: (value) => (value === null ? 0 : integerFromJson(value, 'int64')),
  fromUri: (text) => integerFromUri(text, 'int64'),
};

export const unsignedInteger: ParamKind<number> = {
  ...integer,
  fromJson: (value) => (value === null ? 0 : requireUnsigned(integerFromJson(value, 'uint'))),
  fromUri: (text) => requireUnsigned(integerFromUri(text, 'uint')),
};

export const text: ParamKind<string> = {
  name: 'string',
  absent: '',
  fromJson: (value) => {
    if (value === null) return '';
    if (typeof value !== 'string') throw wrongKind(value, 'string');
    return value;
  },
  fromUri: (given) => {
    if (HEX_PREFIX.test(given)) return Buffer.from(hexBytes(given.slice(2))).toString('utf8');
    return text.fromJson(parseGoJson(given));
  },
};

export const boolean: ParamKind<boolean> = {
  name: 'boolean',
  absent: false,
  fromJson: (value) => {
    if (value === null) return false;
    if (typeof value !== 'boolean') throw wrongKind(value, 'bool');
    return value;
  },
  fromUri: (given) => {
    if (HEX_PREFIX.test(given)) throw invalidParams("got a hex string arg, but expected 'bool'");
    return boolean.fromJson(parseGoJson(given));
  },
};

const NO_BYTES = new Uint8Array(0);

/** Bytes that JSON holds as base64. */
export const bytes: ParamKind<Uint8Array> = {
  name: 'bytes',
  absent: NO_BYTES,
  fromJson: (value) => {
    if (value === null) return NO_BYTES;
    if (typeof value !== 'string') throw wrongKind(value, '[]uint8');
    return base64Bytes(value);
  },
  fromUri: (given) => bytesFromUri(given, bytes.fromJson),
};

/** Bytes that JSON holds as hex. */
export const hex: ParamKind<Uint8Array> = {
  name: 'hex bytes',
  absent: NO_BYTES,
  fromJson: (value) => {
    if (value === null) return NO_BYTES;
    if (typeof value !== 'string') throw invalidParams(`invalid hex string: ${JSON.stringify(value)}`);
    return hexBytes(value);
  },
  fromUri: (given) => bytesFromUri(given, hex.fromJson),
};

function integerFromJson(value: unknown, type: string): number {
  if (typeof value !== 'string') {
    throw invalidParams(
      `invalid 64-bit integer encoding ${JSON.stringify(JSON.stringify(value))}, expected string`,
    );
  }
  if (BARE_INTEGER.test(value)) return inRange(value, type);
  const parsed = parseGoJson(value);
  if (typeof parsed === 'number') throw outOf(value, type);
  throw wrongKind(parsed, type);
}

function integerFromUri(given: string, type: string): number {
  if (BARE_INTEGER.test(given)) return inRange(given, type);
  if (HEX_PREFIX.test(given)) throw invalidParams(`got a hex string arg, but expected '${type}'`);
  if (!/^".*"$/s.test(given)) {
    throw invalidParams(`invalid 64-bit integer encoding ${JSON.stringify(given)}, expected string`);
  }
  return integerFromJson(given.slice(1, -1), type);
}

function inRange(digits: string, type: string): number {
  const value = BigInt(digits);
  if (value > MAX_INT64 || value < INT64_MIN || /^-?0\d/.test(digits)) throw outOf(digits, type);
  // Above 2^53 it is no height, page or count anyway, and still larger than any.
  return Number(value);
}

function outOf(digits: string, type: string): Error {
  return invalidParams(`json: cannot unmarshal number ${digits} into Go value of type ${type}`);
}

function requireUnsigned(value: number): number {
  if (value < 0) throw outOf(String(value), 'uint');
  return value;
}

function bytesFromUri(given: string, fromJson: (value: unknown) => Uint8Array): Uint8Array {
  if (HEX_PREFIX.test(given)) return hexBytes(given.slice(2));
  const value = parseGoJson(given);
  // A quoted string stands for its own bytes.
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : fromJson(value);
}

function hexBytes(digits: string): Uint8Array {
  const wrong = /[^\da-f]/iu.exec(digits)?.[0];
  if (wrong !== undefined) {
    const code = wrong.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    throw invalidParams(`encoding/hex: invalid byte: U+${code} '${wrong}'`);
  }
  if (digits.length % 2 === 1) throw invalidParams('encoding/hex: odd length hex string');
  return Buffer.from(digits, 'hex');
}

function base64Bytes(encoded: string): Uint8Array {
  const clean = encoded.replaceAll(/[\r\n]/g, '');
  const decoded = Buffer.from(clean, 'base64');
  if (decoded.toString('base64') === clean) return decoded;
  const good = /^(?:[A-Za-z0-9+/]{4})*/.exec(clean)?.[0].length ?? 0;
  throw invalidParams(`illegal base64 data at input byte ${good}`);
}
