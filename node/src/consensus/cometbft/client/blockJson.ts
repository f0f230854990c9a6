import { type Commit, parseBlockTime } from '../../../comet/index.ts';
import type { BlockHeader, BlockId, BlockTime } from '../../../types/index.ts';

// CometBFT's JSON of what blocks consist of: hashes in hex, 64-bit integers as strings, signatures in base64.

interface BlockIdJson {
  readonly hash: string;
  readonly parts: { readonly total: number; readonly hash: string };
}

export interface HeaderJson extends Readonly<Record<string, unknown>> {
  readonly version: { readonly block: string; readonly app?: string };
  readonly last_block_id: BlockIdJson;
}

export interface CommitJson {
  readonly height: string;
  readonly round: number;
  readonly block_id: BlockIdJson;
  readonly signatures: readonly {
    readonly block_id_flag: number;
    readonly validator_address: string;
    readonly timestamp: string;
    readonly signature: string | null;
  }[];
}

function blockIdOf({ hash, parts }: BlockIdJson): BlockId {
  return { hash: hexOf(hash), partsTotal: parts.total, partsHash: hexOf(parts.hash) };
}

export function headerOf(json: HeaderJson): BlockHeader {
  return {
    blockProtocol: BigInt(json.version.block),
    appProtocol: BigInt(json.version.app ?? 0),
    chainId: String(json.chain_id),
    height: Number(json.height),
    time: timeOf(json.time),
    lastBlockId: blockIdOf(json.last_block_id),
    lastCommitHash: hexOf(json.last_commit_hash),
    dataHash: hexOf(json.data_hash),
    validatorsHash: hexOf(json.validators_hash),
    nextValidatorsHash: hexOf(json.next_validators_hash),
    consensusHash: hexOf(json.consensus_hash),
    appHash: hexOf(json.app_hash),
    lastResultsHash: hexOf(json.last_results_hash),
    evidenceHash: hexOf(json.evidence_hash),
    proposerAddress: hexOf(json.proposer_address),
  };
}

export function commitOf(json: CommitJson): Commit {
  return {
    height: Number(json.height),
    round: json.round,
    blockId: blockIdOf(json.block_id),
    signatures: json.signatures.map(({ block_id_flag: flag, ...vote }) => ({
      flag,
      validatorAddress: hexOf(vote.validator_address),
      time: timeOf(vote.timestamp),
      signature: Buffer.from(vote.signature ?? '', 'base64'),
    })),
  };
}

function hexOf(text: unknown): Uint8Array {
  return Buffer.from(String(text), 'hex');
}

/** Go's zero time stands for no vote. */
function timeOf(text: unknown): BlockTime {
  return parseBlockTime(String(text));
}
