import { CodedError } from '@chain/platform';
import { bytesToBigint } from '../../../primitives/index.ts';
import { type AbiParameter, type AbiType, type AbiValue, headWords, isDynamic } from './abiType.ts';

const WORD = 32;

/**
 * Arguments of a call. Throws EVM_ABI_INVALID when the bytes end too early, an offset or a length lies beyond them,
 * or a word is too large for its type. Bytes behind the last value do not matter.
 */
export function decodeAbi(parameters: readonly AbiParameter[], bytes: Uint8Array): AbiValue[] {
  const types = parameters.map(({ type }) => type);
  return sequence(types, bytes);
}

function sequence(types: readonly AbiType[], bytes: Uint8Array): AbiValue[] {
  let at = 0;
  return types.map((type) => {
    const start = isDynamic(type) ? offsetAt(bytes, at) : at;
    at += WORD * headWords(type);
    return decodeValue(type, bytes.subarray(start));
  });
}

function decodeValue(type: AbiType, bytes: Uint8Array): AbiValue {
  switch (type.kind) {
    case 'uint':
      return checked(wordAt(bytes, 0), (word) => word < 1n << BigInt(type.bits));
    case 'int': {
      const word = wordAt(bytes, 0);
      const value = BigInt.asIntN(type.bits, word);
      return checked(value, () => BigInt.asUintN(256, value) === word);
    }
    case 'bool':
      return checked(wordAt(bytes, 0), (word) => word <= 1n) === 1n;
    case 'address':
      checked(wordAt(bytes, 0), (word) => word < 1n << 160n);
      return bytes.subarray(12, WORD);
    case 'string':
      return Buffer.from(sized(bytes)).toString('utf8');
    case 'bytes':
      return sized(bytes);
    case 'array': {
      const items = bytes.subarray(WORD);
      const length = wordAt(bytes, 0);
      // Each item has a head at least: a length beyond that is not even looked at.
      const most = BigInt(Math.floor(items.length / (WORD * headWords(type.of))));
      checked(length, () => length <= most);
      return sequence(new Array<AbiType>(Number(length)).fill(type.of), items);
    }
    case 'tuple':
      return decodeAbi(type.members, bytes);
  }
}

function sized(bytes: Uint8Array): Uint8Array {
  const length = checked(wordAt(bytes, 0), (word) => word <= BigInt(bytes.length - WORD));
  return bytes.subarray(WORD, WORD + Number(length));
}

function offsetAt(bytes: Uint8Array, at: number): number {
  return Number(checked(wordAt(bytes, at), (word) => word < BigInt(bytes.length)));
}

function wordAt(bytes: Uint8Array, at: number): bigint {
  if (bytes.length < at + WORD) throw invalid();
  return bytesToBigint(bytes.subarray(at, at + WORD));
}

function checked(value: bigint, isGood: (value: bigint) => boolean): bigint {
  if (!isGood(value)) throw invalid();
  return value;
}

function invalid(): CodedError<'EVM_ABI_INVALID'> {
  return new CodedError('EVM_ABI_INVALID', 'the call data is no ABI encoding of the arguments');
}
