import { CodedError } from '@chain/platform';
import { BinaryWriter } from 'cosmjs-types/binary';
import { Block as WireBlock } from 'cosmjs-types/tendermint/types/block';
import { Data, Header, Commit as WireCommit } from 'cosmjs-types/tendermint/types/types';
import { merkleRoot, writeUvarint } from '../primitives/index.ts';
import type { Block, BlockHeader } from '../types/index.ts';
import { headerHash } from './headerHash.ts';
import { headerFromWire, headerToWire } from './wire.ts';

/** Bytes of one part of a block on CometBFT's wire. */
const PART_BYTES = 65_536;

/** What a block is made of; `lastCommit` is protobuf. */
export type BlockContent = Pick<Block, 'header' | 'txs' | 'lastCommit'>;

/** Protobuf `tendermint.types.Block` without evidence. */
export function encodeBlock({ header, txs, lastCommit }: BlockContent): Uint8Array {
  const writer = BinaryWriter.create();
  Header.encode(headerToWire(header), writer.uint32(10).fork()).ldelim();
  Data.encode({ txs: txs as Uint8Array[] }, writer.uint32(18).fork()).ldelim();
  // No evidence: an empty message, which Go writes all the same.
  writer.uint32(26).bytes(new Uint8Array(0));
  return writer.uint32(34).bytes(lastCommit).finish();
}

/** Bytes of `encodeBlock`, without making them. */
export function blockSize({ header, txs, lastCommit }: BlockContent): number {
  const headerBytes = Header.encode(headerToWire(header)).finish().length;
  const dataBytes = txs.reduce((sum, { length }) => sum + fieldBytes(length), 0);
  return fieldBytes(headerBytes) + fieldBytes(dataBytes) + fieldBytes(0) + fieldBytes(lastCommit.length);
}

/** A field of so many bytes with its tag and its length. */
function fieldBytes(length: number): number {
  return 1 + writeUvarint(length).length + length;
}

/** Throws COMET_BLOCK_INVALID. The block's id is computed, not read. */
export function decodeBlock(bytes: Uint8Array): Block {
  let wire: WireBlock;
  try {
    wire = WireBlock.decode(bytes);
  } catch (cause) {
    throw new CodedError('COMET_BLOCK_INVALID', 'the block is not valid protobuf', { cause });
  }
  const lastCommit = wire.lastCommit ? WireCommit.encode(wire.lastCommit).finish() : new Uint8Array(0);
  return sealBlock({ header: headerFromWire(wire.header), txs: wire.data.txs, lastCommit });
}

/** Gives a block its id and its size. */
export function sealBlock(content: BlockContent): Block {
  const bytes = encodeBlock(content);
  const parts = splitParts(bytes);
  return {
    ...content,
    id: { hash: headerHash(content.header), partsTotal: parts.length, partsHash: merkleRoot(parts) },
    sizeBytes: bytes.length,
  };
}

/** The version of the block format that CometBFT v0.38 puts into each header. */
export const BLOCK_PROTOCOL: BlockHeader['blockProtocol'] = 11n;

function splitParts(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    parts.push(bytes.subarray(start, start + PART_BYTES));
  }
  return parts;
}
