import { InvalidParam } from '../rpcError.ts';
import { BLOCK_ID, BLOCK_NUMBER_OR_TAG, BLOCK_TAGS } from '../schema/valueSchemas.ts';
import { type Codec, jsonKind } from './codec.ts';
import { hashCodec, quantityProblem } from './hexCodecs.ts';

export type BlockTag = (typeof BLOCK_TAGS)[number];
export type BlockNumberOrTag = number | BlockTag;
/** A number, a tag, or a block hash (32 bytes). */
export type BlockId = BlockNumberOrTag | Uint8Array;

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
const HASH_LENGTH = 66;

export const blockNumberCodec: Codec<BlockNumberOrTag> = {
  schema: BLOCK_NUMBER_OR_TAG,
  decode: decodeNumber,
};

/** BLOCK_ID: number, tag, hash, or EIP-1898's object. There are no forks, so `requireCanonical` changes nothing. */
export const blockIdCodec: Codec<BlockId> = {
  schema: BLOCK_ID,
  decode: (value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return decodeObject(value as Record<string, unknown>);
    }
    if (typeof value !== 'string') {
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
    }
    return value.length === HASH_LENGTH ? decodeHash(value) : decodeNumber(value);
  },
};

function decodeNumber(value: unknown): BlockNumberOrTag {
  // Go reads the raw JSON text here, and whatever is no string does not begin with 0x.
  if (typeof value !== 'string') throw new InvalidParam('hex string without 0x prefix');
  if ((BLOCK_TAGS as readonly string[]).includes(value)) return value as BlockTag;
  const problem = quantityProblem(value, 64);
  if (problem) throw new InvalidParam(problem);
  if (BigInt(value) > MAX_INT64) throw new InvalidParam('block number larger than int64');
  return Number(value);
}

/** A bare string: Go names no type here, unlike for a parameter that can only be a hash. */
function decodeHash(text: string): Uint8Array {
  if (!/^0x/i.test(text)) throw new InvalidParam('hex string without 0x prefix');
  const bytes = Buffer.from(text.slice(2), 'hex');
  if (bytes.length * 2 !== HASH_LENGTH - 2) throw new InvalidParam('invalid hex string');
  return bytes;
}

function decodeObject({ blockNumber, blockHash }: Record<string, unknown>): BlockId {
  const hasNumber = blockNumber !== undefined && blockNumber !== null;
  const hasHash = blockHash !== undefined && blockHash !== null;
  if (hasNumber && hasHash) {
    throw new InvalidParam('cannot specify both BlockHash and BlockNumber, choose one or the other');
  }
  if (hasHash) return hashCodec.decode(blockHash);
  if (hasNumber) return decodeNumber(blockNumber);
  throw new InvalidParam('invalid arguments; neither block nor hash specified');
}
