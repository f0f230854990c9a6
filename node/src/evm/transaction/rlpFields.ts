import { CodedError } from '@chain/platform';
import { bytesToBigint, type RlpItem } from '../../primitives/index.ts';

/** Takes the fields of an RLP list one after the other, checked as geth's decoder does. */
export class RlpFields {
  readonly #items: readonly RlpItem[];
  readonly #struct: string;
  #next = 0;

  constructor(item: RlpItem, struct: string, count: number) {
    if (item instanceof Uint8Array) throw invalid(`rlp: expected input list for ${struct}`);
    if (item.length < count) throw invalid(`rlp: too few elements for ${struct}`);
    if (item.length > count) throw invalid(`rlp: input list has too many elements for ${struct}`);
    this.#items = item;
    this.#struct = struct;
  }

  bytes(field: string): Uint8Array {
    return this.#string('[]uint8', field);
  }

  list(field: string): readonly RlpItem[] {
    const item = this.#items[this.#next++]!;
    if (item instanceof Uint8Array) throw this.#fault('expected input list for', field, '[]');
    return item;
  }

  uint8(field: string): bigint {
    return this.#integer('uint8', field, 1);
  }

  uint64(field: string): bigint {
    return this.#integer('uint64', field, 8);
  }

  uint256(field: string): bigint {
    return this.#integer('*big.Int', field, 32);
  }

  address(field: string): Uint8Array {
    const address = this.#string('common.Address', field);
    if (address.length === 20) return address;
    throw this.#fault(
      address.length < 20 ? 'input string too short for' : 'input string too long for',
      field,
      'common.Address',
    );
  }

  optionalAddress(field: string): Uint8Array | null {
    const item = this.#items[this.#next]!;
    if (item instanceof Uint8Array && item.length === 0) {
      this.#next++;
      return null;
    }
    return this.address(field);
  }

  #string(type: string, field: string): Uint8Array {
    const item = this.#items[this.#next++]!;
    if (item instanceof Uint8Array) return item;
    throw this.#fault('expected input string or byte for', field, type);
  }

  #integer(type: string, field: string, maxBytes: number): bigint {
    const bytes = this.#string(type, field);
    if (bytes.length > maxBytes) {
      throw maxBytes === 32
        ? invalid('rlp: value too large for uint256')
        : this.#fault('input string too long for', field, type);
    }
    if (bytes[0] === 0) throw this.#fault('non-canonical integer (leading zero bytes) for', field, type);
    return bytesToBigint(bytes);
  }

  #fault(what: string, field: string, type: string): CodedError<'EVM_INVALID_TRANSACTION'> {
    return invalid(`rlp: ${what} ${type}, decoding into (${this.#struct}).${field}`);
  }
}

function invalid(message: string): CodedError<'EVM_INVALID_TRANSACTION'> {
  return new CodedError('EVM_INVALID_TRANSACTION', message);
}
