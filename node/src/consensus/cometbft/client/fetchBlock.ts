import { CodedError } from '@chain/platform';
import {
  blockSize,
  type Commit,
  commitHash,
  EMPTY_COMMIT,
  EMPTY_HASH,
  encodeCommit,
  headerHash,
} from '../../../comet/index.ts';
import { equalBytes } from '../../../primitives/index.ts';
import type { Block, BlockHeader } from '../../../types/index.ts';
import { type CommitJson, commitOf, type HeaderJson, headerOf } from './blockJson.ts';
import type { CometCall, CometClient } from './cometClient.ts';

interface SignedJson {
  readonly signed_header: { readonly header: HeaderJson; readonly commit: CommitJson };
}

/** What is known of a decided block. */
export interface KnownBlock {
  readonly height: number;
  /** Of its header. */
  readonly hash: Uint8Array;
  readonly txs: readonly Uint8Array[];
}

/** What CometBFT takes in one request, unless it is told otherwise. */
const CALLS_A_REQUEST = 10;

/**
 * Whole blocks from CometBFT's store: ABCI hands over the transactions and a hash, not the header and the commit.
 * One small call a block, many to a request: a block's header comes with the commit for it, which the next block
 * mostly holds as it is.
 */
export class BlockFetcher {
  readonly #client: CometClient;
  /** What came with the block that was fetched last; votes that come late are not in it. */
  #seen: { readonly height: number; readonly commit: Commit } | undefined;

  constructor(client: CometClient) {
    this.#client = client;
  }

  /** Neighbouring blocks; what comes is checked against the hash. They reject with CONSENSUS_COMET_DOWN, CONSENSUS_COMET_BLOCK. */
  fetch(known: readonly KnownBlock[]): Promise<Block>[] {
    const answers = this.#commits(known.map(({ height }) => height));
    let before: Promise<unknown> = Promise.resolve();
    return known.map((one, i) => {
      const block = Promise.all([answers, before]).then(([commits]) => this.#block(one, commits[i]));
      before = block.catch(() => undefined);
      return block;
    });
  }

  async #commits(heights: readonly number[]): Promise<unknown[]> {
    const requests: Promise<readonly unknown[]>[] = [];
    for (let i = 0; i < heights.length; i += CALLS_A_REQUEST) {
      requests.push(this.#client.batch(heights.slice(i, i + CALLS_A_REQUEST).map(commitCall)));
    }
    return (await Promise.all(requests)).flat();
  }

  async #block({ height, hash, txs }: KnownBlock, answer: unknown): Promise<Block> {
    const signed = signedOf(answer, height);
    const header = headerOf(signed.header);
    if (!equalBytes(headerHash(header), hash)) throw wrongBlock(height, 'has another block');
    const commit = commitOf(signed.commit);
    if (!equalBytes(commit.blockId.hash, hash)) throw wrongBlock(height, 'has a commit of another block');
    const lastCommit = encodeCommit(await this.#lastCommit(header));
    this.#seen = { height, commit };
    const content = { header, txs, lastCommit };
    return { ...content, id: commit.blockId, sizeBytes: await this.#sizeOf(content) };
  }

  async #lastCommit({ height, lastBlockId, lastCommitHash }: BlockHeader): Promise<Commit> {
    if (lastBlockId.hash.length === 0) return EMPTY_COMMIT;
    const seen = this.#seen;
    if (seen?.height === height - 1 && equalBytes(commitHash(seen.commit), lastCommitHash))
      return seen.commit;
    const [answer] = await this.#client.batch([commitCall(height - 1)]);
    const commit = commitOf(signedOf(answer, height - 1).commit);
    if (!equalBytes(commitHash(commit), lastCommitHash)) throw wrongBlock(height - 1, 'has another commit');
    return commit;
  }

  /** Evidence counts, and only CometBFT has it. */
  async #sizeOf(content: Pick<Block, 'header' | 'txs' | 'lastCommit'>): Promise<number> {
    const { height, evidenceHash } = content.header;
    if (equalBytes(evidenceHash, EMPTY_HASH)) return blockSize(content);
    const range = { minHeight: String(height), maxHeight: String(height) };
    const answer = await this.#client.call('blockchain', range);
    const [meta] = (answer as { block_metas: readonly { block_size: string }[] }).block_metas;
    if (!meta) throw wrongBlock(height, 'has no such block');
    return Number(meta.block_size);
  }
}

function commitCall(height: number): CometCall {
  return { method: 'commit', params: { height: String(height) } };
}

/** CometBFT answers nothing, and no error, for a height that it has no more. */
function signedOf(answer: unknown, height: number): SignedJson['signed_header'] {
  if (answer instanceof CodedError) throw answer;
  const signed = (answer as SignedJson | null | undefined)?.signed_header;
  if (!signed?.header || !signed.commit) throw wrongBlock(height, 'has no such block');
  return signed;
}

function wrongBlock(height: number, what: string): CodedError {
  return new CodedError(
    'CONSENSUS_COMET_BLOCK',
    `CometBFT ${what} at height ${height}; is its RPC address that of another node?`,
    { fields: { height } },
  );
}
