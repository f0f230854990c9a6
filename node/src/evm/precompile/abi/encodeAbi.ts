import assert from 'node:assert';
import { bigintToFixedBytes, concatAll, concatBytes, padLeft, utf8 } from '../../../primitives/index.ts';
import { type AbiParameter, type AbiType, type AbiValue, headWords, isDynamic } from './abiType.ts';

const WORD = 32;

/** Values as the contract ABI encodes arguments and results: heads, then what they point to. */
export function encodeAbi(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Uint8Array {
  assert(parameters.length === values.length, 'one value for each parameter');
  const types = parameters.map(({ type }) => type);
  return sequence(types, values);
}

function sequence(types: readonly AbiType[], values: readonly AbiValue[]): Uint8Array {
  let offset = WORD * types.reduce((sum, type) => sum + headWords(type), 0);
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  types.forEach((type, i) => {
    const encoded = encodeValue(type, values[i]!);
    if (!isDynamic(type)) {
      heads.push(encoded);
      return;
    }
    heads.push(wordOf(BigInt(offset)));
    tails.push(encoded);
    offset += encoded.length;
  });
  return concatAll([...heads, ...tails]);
}

function encodeValue(type: AbiType, value: AbiValue): Uint8Array {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return wordOf(value as bigint);
    case 'bool':
      return wordOf(value ? 1n : 0n);
    case 'address':
      return padLeft(value as Uint8Array, WORD);
    case 'string':
      return sized(utf8(value as string));
    case 'bytes':
      return sized(value as Uint8Array);
    case 'array': {
      const items = value as readonly AbiValue[];
      return concatBytes(
        wordOf(BigInt(items.length)),
        sequence(
          items.map(() => type.of),
          items,
        ),
      );
    }
    case 'tuple':
      return encodeAbi(type.members, value as readonly AbiValue[]);
  }
}

function wordOf(value: bigint): Uint8Array {
  return bigintToFixedBytes(BigInt.asUintN(256, value), WORD);
}

function sized(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD);
  padded.set(bytes);
  return concatBytes(wordOf(BigInt(bytes.length)), padded);
}
