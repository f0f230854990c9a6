import { type Commit, decodeCommit } from '../../comet/index.ts';
import type { Block, BlockHeader } from '../../types/index.ts';
import { base64, blockIdJson, type Json, timeJson, upperHex } from './values.ts';

export function headerJson(header: BlockHeader): Json {
  return {
    version: {
      block: String(header.blockProtocol),
      // Go leaves a zero out here.
      ...(header.appProtocol !== 0n && { app: String(header.appProtocol) }),
    },
    chain_id: header.chainId,
    height: String(header.height),
    time: timeJson(header.time),
    last_block_id: blockIdJson(header.lastBlockId),
    last_commit_hash: upperHex(header.lastCommitHash),
    data_hash: upperHex(header.dataHash),
    validators_hash: upperHex(header.validatorsHash),
    next_validators_hash: upperHex(header.nextValidatorsHash),
    consensus_hash: upperHex(header.consensusHash),
    app_hash: upperHex(header.appHash),
    last_results_hash: upperHex(header.lastResultsHash),
    evidence_hash: upperHex(header.evidenceHash),
    proposer_address: upperHex(header.proposerAddress),
  };
}

export function commitJson({ height, round, blockId, signatures }: Commit): Json {
  return {
    height: String(height),
    round,
    block_id: blockIdJson(blockId),
    signatures: signatures.map(({ flag, validatorAddress, time, signature }) => ({
      block_id_flag: flag,
      validator_address: upperHex(validatorAddress),
      timestamp: timeJson(time),
      signature: signature.length === 0 ? null : base64(signature),
    })),
  };
}

/** CometBFT's `Block`. */
function blockJson({ header, txs, lastCommit }: Block): Json {
  return {
    header: headerJson(header),
    data: { txs: txs.map(base64) },
    evidence: { evidence: [] },
    last_commit: commitJson(decodeCommit(lastCommit)),
  };
}

/** CometBFT's `ResultBlock`. */
export function identifiedBlockJson(block: Block): Json {
  return { block_id: blockIdJson(block.id), block: blockJson(block) };
}

/** CometBFT's `BlockMeta`. */
export function blockMetaJson({ id, header, txs, sizeBytes }: Block): Json {
  return {
    block_id: blockIdJson(id),
    block_size: String(sizeBytes),
    header: headerJson(header),
    num_txs: String(txs.length),
  };
}
