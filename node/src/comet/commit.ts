import { CodedError } from '@chain/platform';
import { CommitSig, Commit as WireCommit } from 'cosmjs-types/tendermint/types/types';
import { merkleRoot } from '../primitives/index.ts';
import type { BlockId, BlockTime } from '../types/index.ts';
import { ZERO_TIME } from './blockTime.ts';
import { blockIdFromWire, blockIdToWire } from './wire.ts';

/** Whether a validator signed the block, nothing at all, or nil (CometBFT `BlockIDFlag`). */
export const BLOCK_ID_FLAG = { absent: 1, commit: 2, nil: 3 } as const;

export interface CommitSignature {
  readonly flag: number;
  /** 20 bytes; empty when absent. */
  readonly validatorAddress: Uint8Array;
  readonly time: BlockTime;
  /** Ed25519, 64 bytes; empty when absent. */
  readonly signature: Uint8Array;
}

/** The precommits for a block, in the order of the validator set. */
export interface Commit {
  readonly height: number;
  readonly round: number;
  readonly blockId: BlockId;
  readonly signatures: readonly CommitSignature[];
}

const NO_BYTES = new Uint8Array(0);

/** The id of no block: what the first block names as its predecessor. */
export const NO_BLOCK_ID: BlockId = { hash: NO_BYTES, partsTotal: 0, partsHash: NO_BYTES };
/** The `lastCommit` of a chain's first block. */
export const EMPTY_COMMIT: Commit = { height: 0, round: 0, blockId: NO_BLOCK_ID, signatures: [] };
export const ABSENT_SIGNATURE: CommitSignature = {
  flag: BLOCK_ID_FLAG.absent,
  validatorAddress: NO_BYTES,
  time: ZERO_TIME,
  signature: NO_BYTES,
};

/** Protobuf `tendermint.types.Commit`. */
export function encodeCommit(commit: Commit): Uint8Array {
  return WireCommit.encode({
    height: BigInt(commit.height),
    round: commit.round,
    blockId: blockIdToWire(commit.blockId),
    signatures: commit.signatures.map(signatureToWire),
  }).finish();
}

/** Throws COMET_COMMIT_INVALID. */
export function decodeCommit(bytes: Uint8Array): Commit {
  const wire = wireCommit(bytes);
  return {
    height: Number(wire.height),
    round: wire.round,
    blockId: blockIdFromWire(wire.blockId),
    signatures: wire.signatures.map(({ blockIdFlag, validatorAddress, timestamp, signature }) => ({
      flag: blockIdFlag,
      validatorAddress,
      time: { seconds: timestamp.seconds, nanos: timestamp.nanos },
      signature,
    })),
  };
}

function wireCommit(bytes: Uint8Array): WireCommit {
  try {
    return WireCommit.decode(bytes);
  } catch (cause) {
    throw new CodedError('COMET_COMMIT_INVALID', 'the commit is not valid protobuf', { cause });
  }
}

/** A header's `lastCommitHash`: the Merkle root over the signatures. */
export function commitHash(commit: Commit): Uint8Array {
  return merkleRoot(
    commit.signatures.map((signature) => CommitSig.encode(signatureToWire(signature)).finish()),
  );
}

function signatureToWire({ flag, validatorAddress, time, signature }: CommitSignature): CommitSig {
  return { blockIdFlag: flag, validatorAddress, timestamp: time, signature };
}
