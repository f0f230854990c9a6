import type { CommitInfo, RequestFinalizeBlock } from 'cosmjs-types/tendermint/abci/types';
import {
  BLOCK_PROTOCOL,
  consensusParamsHash,
  dataHash,
  EMPTY_HASH,
  encodeCommit,
  type GenesisDoc,
  NO_BLOCK_ID,
  resultsHash,
  validatorSetHash,
} from '../../../comet/index.ts';
import type { Block, BlockRecord, ValidatorPower } from '../../../types/index.ts';

const NO_BYTES = new Uint8Array(0);
const NO_TIME = { seconds: 0n, nanos: 0 };

/** Who voted for the block before, in the form of a commit; ABCI tells everything but times and signatures. */
function lastCommitOf({ round, votes }: CommitInfo, height: number, last: BeforeBlock['last']): Uint8Array {
  const isFirst = votes.length === 0;
  return encodeCommit({
    height: isFirst ? 0 : height - 1,
    round,
    blockId: isFirst ? NO_BLOCK_ID : (last?.block.id ?? NO_BLOCK_ID),
    signatures: votes.map(({ validator, blockIdFlag }) => ({
      flag: blockIdFlag,
      validatorAddress: validator.address,
      time: NO_TIME,
      signature: NO_BYTES,
    })),
  });
}

/** Whether a block was put together here, because CometBFT's RPC was not there yet. */
export function hasGaps({ id }: Block): boolean {
  return id.partsTotal === 0;
}

/** What stands before the block runs. */
export interface BeforeBlock {
  readonly genesis: GenesisDoc;
  readonly last: Pick<BlockRecord, 'block' | 'results'> | undefined;
  /** After the block before. */
  readonly appHash: Uint8Array;
  /** Who signs the block. */
  readonly validators: readonly ValidatorPower[];
}

/**
 * The block as far as ABCI tells it. Its hash, time, transactions and all that state depends on are right; the last
 * commit's signatures and hash, the parts and evidence are missing.
 */
export function gappedBlock(
  request: RequestFinalizeBlock,
  { genesis, last, appHash, validators }: BeforeBlock,
): Block {
  const before = last?.block.header;
  const height = Number(request.height);
  return {
    id: { hash: request.hash, partsTotal: 0, partsHash: NO_BYTES },
    header: {
      blockProtocol: BLOCK_PROTOCOL,
      appProtocol: genesis.consensusParams.version.app,
      chainId: genesis.chainId,
      height,
      time: request.time,
      lastBlockId: last?.block.id ?? NO_BLOCK_ID,
      lastCommitHash: NO_BYTES,
      dataHash: dataHash(request.txs),
      validatorsHash: validatorSetHash(validators),
      nextValidatorsHash: request.nextValidatorsHash,
      consensusHash: before?.consensusHash ?? consensusParamsHash(genesis.consensusParams.block),
      appHash,
      lastResultsHash: last ? resultsHash(last.results) : EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: request.proposerAddress,
    },
    txs: request.txs,
    lastCommit: lastCommitOf(request.decidedLastCommit, height, last),
    sizeBytes: request.txs.reduce((sum, tx) => sum + tx.length, 0),
  };
}
