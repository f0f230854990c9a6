import { CodedError } from '@chain/platform';
import { bytesToBigint } from '../../../primitives/index.ts';
import { type AbiParameter, type AbiType, type AbiValue, headWords, isDynamic } from './abiType.ts';

const WORD = 32;

/**
 * Arguments of a call. Throws EVM_ABI_INVALID when the bytes end too early, an offset or a length lies beyond them,
 * a word is too large for its type, or offsets lead so often to one place that the values would take more bytes than
 * there are. Who has charged for the bytes has thus charged for the values. Bytes behind the last value do not matter.
 */
export function decodeAbi(parameters: readonly AbiParameter[], bytes: Uint8Array): AbiValue[] {
  const types = parameters.map(({ type }) => type);
  return new Decoding(bytes.length).sequence(types, bytes);
}

/** One decoding, and the bytes that its values may still take. */
class Decoding {
  #left: number;

  constructor(left: number) {
    this.#left = left;
  }

  /** Values behind heads of their own. */
  sequence(types: readonly AbiType[], bytes: Uint8Array): AbiValue[] {
    this.#take(types.reduce((sum, type) => sum + WORD * headWords(type), 0));
    return this.#values(types, bytes);
  }

  #values(types: readonly AbiType[], bytes: Uint8Array): AbiValue[] {
    let at = 0;
    return types.map((type) => {
      const start = isDynamic(type) ? offsetAt(bytes, at) : at;
      at += WORD * headWords(type);
      return this.#value(type, bytes.subarray(start));
    });
  }

  /** The words of a value without a length stand among the heads, which are taken already. */
  #value(type: AbiType, bytes: Uint8Array): AbiValue {
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
        return Buffer.from(this.#sized(bytes)).toString('utf8');
      case 'bytes':
        return this.#sized(bytes);
      case 'array':
        return this.#array(type.of, bytes);
      case 'tuple': {
        const types = type.members.map((member) => member.type);
        // One without offsets stands among the heads as it is.
        return isDynamic(type) ? this.sequence(types, bytes) : this.#values(types, bytes);
      }
    }
  }

  #array(of: AbiType, bytes: Uint8Array): AbiValue[] {
    const length = wordAt(bytes, 0);
    const items = bytes.subarray(WORD);
    // Each item has a head at least: a length beyond that is not even looked at.
    checked(length, () => length <= BigInt(Math.floor(items.length / WORD)));
    this.#take(WORD);
    // Before a list of so many types is made.
    checked(length, () => Number(length) * WORD * headWords(of) <= this.#left);
    return this.sequence(new Array<AbiType>(Number(length)).fill(of), items);
  }

  #sized(bytes: Uint8Array): Uint8Array {
    const length = Number(checked(wordAt(bytes, 0), (word) => word <= BigInt(bytes.length - WORD)));
    this.#take(WORD + length);
    return bytes.subarray(WORD, WORD + length);
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw invalid();
  }
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
