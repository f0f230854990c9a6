import { CodedError } from '@chain/platform';
import { fromBech32, hexToBytes, parseDecimal } from '../../primitives/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Names the place in the file, what stands there, and what should. */
export function genesisError(
  path: string,
  value: unknown,
  wanted: string,
): CodedError<'EXECUTION_GENESIS_INVALID'> {
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 80);
  return new CodedError('EXECUTION_GENESIS_INVALID', `genesis ${path} is ${shown}; it must be ${wanted}`, {
    fields: { path, value: shown },
  });
}

/** An object with no other keys than `known`. An absent value is an empty object. */
export function objectAt(value: unknown, path: string, known?: readonly string[]): JsonObject {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw genesisError(path, value, 'an object');
  }
  const unknown = known && Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw genesisError(
      `${path}.${unknown}`,
      (value as JsonObject)[unknown],
      `left out; ${path} has ${known!.join(', ')}`,
    );
  }
  return value as JsonObject;
}

/** An array; absent is empty. */
export function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw genesisError(path, value, 'an array');
  return value;
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw genesisError(path, value, 'a string');
  return value;
}

/** A whole number in decimal text, below 2^256. */
export function integerAt(value: unknown, path: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value) || BigInt(value) >= 1n << 256n) {
    throw genesisError(path, value, 'a whole number as a string, such as "1000"');
  }
  return BigInt(value);
}

/** A decimal scaled by 10^18. */
export function decimalAt(value: unknown, path: string): bigint {
  const decimal = typeof value === 'string' ? parseDecimal(value) : undefined;
  if (decimal === undefined) throw genesisError(path, value, 'a decimal as a string, such as "0.0189"');
  return decimal;
}

export function bytesAt(value: unknown, path: string, length?: number): Uint8Array {
  const isHex = typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value);
  const bytes = isHex ? hexToBytes(value) : undefined;
  if (!bytes || (length !== undefined && bytes.length !== length)) {
    throw genesisError(path, value, `0x-prefixed hex${length === undefined ? '' : ` of ${length} bytes`}`);
  }
  return bytes;
}

export function chainAddressAt(value: unknown, path: string): Uint8Array {
  try {
    return fromBech32(textAt(value, path));
  } catch {
    throw genesisError(path, value, 'an address such as "chain1…" with a valid checksum');
  }
}

/** A bech32 chain address or a 0x-prefixed EVM address. */
export function anyAddressAt(value: unknown, path: string): { address: Uint8Array; kind: 'evm' | 'chain' } {
  if (typeof value === 'string' && value.startsWith('0x')) {
    return { address: bytesAt(value, path, 20), kind: 'evm' };
  }
  return { address: chainAddressAt(value, path), kind: 'chain' };
}
