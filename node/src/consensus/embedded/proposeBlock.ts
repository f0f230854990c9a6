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
import type { Block, BlockRecord, BlockTime, ValidatorPower } from '../../types/index.ts';

/** What all headers of the chain have in common. */
export interface ChainIdentity {
  readonly chainId: string;
  readonly appProtocol: bigint;
  readonly maxBytes: bigint;
  readonly maxGas: bigint;
  /** Consensus address of the only validator. */
  readonly proposer: Uint8Array;
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
  /** Who signs this block, and the next one. */
  readonly validators: readonly ValidatorPower[];
  readonly nextValidators: readonly ValidatorPower[];
}

/** Builds the block that CometBFT would build with a single validator. */
export function proposeBlock(identity: ChainIdentity, contents: BlockContents): Block {
  const { last, lastCommit, txs } = contents;
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
      validatorsHash: validatorSetHash(contents.validators),
      nextValidatorsHash: validatorSetHash(contents.nextValidators),
      consensusHash: consensusParamsHash(identity),
      appHash: contents.appHash,
      lastResultsHash: last ? resultsHash(last.results) : EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: identity.proposer,
    },
    txs,
    lastCommit: encodeCommit(lastCommit),
  });
}
