import { BinaryWriter } from 'cosmjs-types/binary';
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import { BlockID } from 'cosmjs-types/tendermint/types/types';
import { Consensus } from 'cosmjs-types/tendermint/version/types';
import { merkleRoot, utf8 } from '../primitives/index.ts';
import type { BlockHeader } from '../types/index.ts';
import { blockIdToWire } from './wire.ts';

/** The block's hash: the Merkle root over the 14 encoded header fields (CometBFT `Header.Hash`). */
export function headerHash(header: BlockHeader): Uint8Array {
  return merkleRoot([
    Consensus.encode({ block: header.blockProtocol, app: header.appProtocol }).finish(),
    wrapped(utf8(header.chainId)),
    wrappedInteger(header.height),
    Timestamp.encode(header.time).finish(),
    BlockID.encode(blockIdToWire(header.lastBlockId)).finish(),
    wrapped(header.lastCommitHash),
    wrapped(header.dataHash),
    wrapped(header.validatorsHash),
    wrapped(header.nextValidatorsHash),
    wrapped(header.consensusHash),
    wrapped(header.appHash),
    wrapped(header.lastResultsHash),
    wrapped(header.evidenceHash),
    wrapped(header.proposerAddress),
  ]);
}

/** A protobuf StringValue or BytesValue; an empty value is no bytes at all. */
function wrapped(value: Uint8Array): Uint8Array {
  return value.length === 0 ? value : BinaryWriter.create().uint32(10).bytes(value).finish();
}

/** A protobuf Int64Value. */
function wrappedInteger(value: number): Uint8Array {
  return value === 0 ? new Uint8Array(0) : BinaryWriter.create().uint32(8).int64(BigInt(value)).finish();
}
