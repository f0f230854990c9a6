import type { BlockTime } from './blockTime.ts';
import type { CommitVote, Misbehavior } from './validators.ts';

/** A CometBFT block id: the header hash and the hash and count of the block's parts. */
export interface BlockId {
  readonly hash: Uint8Array;
  readonly partsTotal: number;
  readonly partsHash: Uint8Array;
}

/** A CometBFT v0.38 header. `appHash` is the state after block `height − 1`. Hashes are 32 bytes, or empty. */
export interface BlockHeader {
  readonly blockProtocol: bigint;
  readonly appProtocol: bigint;
  readonly chainId: string;
  readonly height: number;
  readonly time: BlockTime;
  readonly lastBlockId: BlockId;
  readonly lastCommitHash: Uint8Array;
  readonly dataHash: Uint8Array;
  readonly validatorsHash: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  readonly consensusHash: Uint8Array;
  readonly appHash: Uint8Array;
  readonly lastResultsHash: Uint8Array;
  readonly evidenceHash: Uint8Array;
  readonly proposerAddress: Uint8Array;
}

/** A decided block: `txs` are raw ledger transactions (`TxRaw` bytes), `lastCommit` is CometBFT's protobuf. */
export interface Block {
  readonly id: BlockId;
  readonly header: BlockHeader;
  readonly txs: readonly Uint8Array[];
  readonly lastCommit: Uint8Array;
  /** Bytes of the whole consensus block in protobuf form. */
  readonly sizeBytes: number;
}

/** What a transaction may know of the block it runs in. */
export interface BlockContext {
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly height: number;
  readonly time: BlockTime;
  /** Consensus address of the proposer, 20 bytes. */
  readonly proposer: Uint8Array;
  readonly gasLimit: bigint;
  /** How the validator set of the block before voted for it; none where nobody asks for its fees and slashes. */
  readonly lastVotes?: readonly CommitVote[];
  readonly misbehavior?: readonly Misbehavior[];
  /** Wei; what EVM transactions of this block pay at least. */
  readonly baseFee: bigint;
}
