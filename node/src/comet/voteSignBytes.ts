import { BinaryWriter } from 'cosmjs-types/binary';
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import { BlockID } from 'cosmjs-types/tendermint/types/types';
import type { BlockId, BlockTime } from '../types/index.ts';
import { blockIdToWire } from './wire.ts';

/** What a precommit says. `blockId: null` is a vote for no block. */
export interface Precommit {
  readonly height: number;
  readonly round: number;
  readonly blockId: BlockId | null;
  readonly time: BlockTime;
}

const PRECOMMIT = 2;

/** The bytes that a validator signs: a length-delimited `CanonicalVote` of type precommit. */
export function precommitSignBytes(chainId: string, vote: Precommit): Uint8Array {
  const writer = BinaryWriter.create().fork();
  writer.uint32(8).uint32(PRECOMMIT);
  if (vote.height !== 0) writer.uint32(17).sfixed64(BigInt(vote.height));
  if (vote.round !== 0) writer.uint32(25).sfixed64(BigInt(vote.round));
  // CanonicalBlockID has the field numbers of BlockID.
  if (vote.blockId) BlockID.encode(blockIdToWire(vote.blockId), writer.uint32(34).fork()).ldelim();
  Timestamp.encode(vote.time, writer.uint32(42).fork()).ldelim();
  if (chainId !== '') writer.uint32(50).string(chainId);
  return writer.ldelim().finish();
}
