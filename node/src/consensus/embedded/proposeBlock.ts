import {
  BLOCK_PROTOCOL,
  type Commit,
  commitHash,
  consensusParamsHash,
  dataHash,
  EMPTY_HASH,
  encodeCommit,
  NO_BLOCK_ID,
  resultsHash,
  sealBlock,
  validatorSetHash,
} from '../../comet/index.ts';
import type { Block, BlockRecord, BlockTime } from '../../types/index.ts';

/** What all headers of the chain have in common. */
export interface ChainIdentity {
  readonly chainId: string;
  readonly appProtocol: bigint;
  readonly maxBytes: bigint;
  readonly maxGas: bigint;
  /** Consensus address and ed25519 key of the only validator, and its voting power. */
  readonly validator: {
    readonly address: Uint8Array;
    readonly publicKey: Uint8Array;
    readonly power: bigint;
  };
}

/** What the next block builds on and holds. */
export interface BlockContents {
  readonly height: number;
  readonly time: BlockTime;
  readonly txs: readonly Uint8Array[];
  /** The block before; none for the chain's first. */
  readonly last: BlockRecord | undefined;
  /** The precommits for the block before. */
  readonly lastCommit: Commit;
  /** The app hash after the block before. */
  readonly appHash: Uint8Array;
}

/** Builds the block that CometBFT would build with a single validator. */
export function proposeBlock(identity: ChainIdentity, contents: BlockContents): Block {
  const { last, lastCommit, txs } = contents;
  const validatorsHash = validatorSetHash([identity.validator]);
  return sealBlock({
    header: {
      blockProtocol: BLOCK_PROTOCOL,
      appProtocol: identity.appProtocol,
      chainId: identity.chainId,
      height: contents.height,
      time: contents.time,
      lastBlockId: last?.block.id ?? NO_BLOCK_ID,
      lastCommitHash: commitHash(lastCommit),
      dataHash: dataHash(txs),
      validatorsHash,
      nextValidatorsHash: validatorsHash,
      consensusHash: consensusParamsHash(identity),
      appHash: contents.appHash,
      lastResultsHash: last ? resultsHash(last.results) : EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: identity.validator.address,
    },
    txs,
    lastCommit: encodeCommit(lastCommit),
  });
}
