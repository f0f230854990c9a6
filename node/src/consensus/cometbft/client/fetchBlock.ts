import { CodedError } from '@chain/platform';
import { commitHash, EMPTY_COMMIT, encodeCommit, headerHash } from '../../../comet/index.ts';
import { equalBytes } from '../../../primitives/index.ts';
import type { Block } from '../../../types/index.ts';
import {
  type BlockIdJson,
  blockIdOf,
  type CommitJson,
  commitOf,
  type HeaderJson,
  headerOf,
} from './blockJson.ts';
import type { CometClient } from './cometClient.ts';

interface MetaJson {
  readonly block_id: BlockIdJson;
  readonly block_size: string;
  readonly header: HeaderJson;
}

/** What is known of a decided block. */
export interface KnownBlock {
  readonly height: number;
  /** Of its header. */
  readonly hash: Uint8Array;
  readonly txs: readonly Uint8Array[];
}

/**
 * The whole block from CometBFT's store: ABCI hands over the transactions and a hash, not the header and the
 * commit. What comes is checked against the hash. Throws CONSENSUS_COMET_DOWN, CONSENSUS_COMET_BLOCK.
 */
export async function fetchBlock(client: CometClient, known: KnownBlock): Promise<Block> {
  const { height } = known;
  const range = { minHeight: String(height), maxHeight: String(height) };
  const [chain, last] = await client.batch([
    { method: 'blockchain', params: range },
    { method: 'commit', params: { height: String(height - 1) } },
  ]);
  if (chain instanceof CodedError) throw chain;
  const [meta] = (chain as { block_metas: readonly MetaJson[] }).block_metas;
  if (!meta) throw wrongBlock(height, 'has no such block');
  const header = headerOf(meta.header);
  if (!equalBytes(headerHash(header), known.hash)) throw wrongBlock(height, 'has another block');
  const first = header.lastBlockId.hash.length === 0;
  if (!first && last instanceof CodedError) throw last;
  const lastCommit = first
    ? EMPTY_COMMIT
    : commitOf((last as { signed_header: { commit: CommitJson } }).signed_header.commit);
  if (!equalBytes(commitHash(lastCommit), header.lastCommitHash))
    throw wrongBlock(height - 1, 'has another commit');
  return {
    id: blockIdOf(meta.block_id),
    header,
    txs: known.txs,
    lastCommit: encodeCommit(lastCommit),
    sizeBytes: Number(meta.block_size),
  };
}

function wrongBlock(height: number, what: string): CodedError {
  return new CodedError(
    'CONSENSUS_COMET_BLOCK',
    `CometBFT ${what} at height ${height}; is its RPC address that of another node?`,
    { fields: { height } },
  );
}
