import { messageOf } from '@chain/platform';
import type {
  RequestFinalizeBlock,
  ResponseCommit,
  ResponseFinalizeBlock,
} from 'cosmjs-types/tendermint/abci/types';
import type { Block } from '../../../types/index.ts';
import type { ApplicationDeps, ApplicationOptions } from './applicationDeps.ts';
import { gappedBlock, hasGaps } from './gappedBlock.ts';
import { retainHeight } from './retainHeight.ts';
import { finalizedToWire, misbehaviorOf, votesOf } from './wire.ts';

/** Runs the blocks that CometBFT has decided, and commits each with the header that CometBFT keeps. */
export class DecidedBlocks {
  readonly #options: ApplicationOptions;
  readonly #deps: ApplicationDeps;
  /** The block that was run and waits for its commit. */
  #block: Promise<Block> | undefined;

  constructor(options: ApplicationOptions, deps: ApplicationDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  async finalizeBlock(request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock> {
    const { chain } = this.#deps;
    const { txs, hash } = request;
    const height = Number(request.height);
    const last = chain.lastRecord;
    const before = {
      genesis: this.#options.genesis,
      last,
      appHash: chain.appHash,
      validators: chain.validatorsAt(height),
    };
    // CometBFT has stored it before it asks: fetched while it runs.
    this.#block = this.#deps.fetchBlock({ height, hash, txs }).catch((error: unknown) => {
      this.#deps.logger.debug('a block is kept as ABCI tells it', { height, reason: messageOf(error) });
      return gappedBlock(request, before);
    });
    const finalized = await chain.finalizeBlock({
      height,
      hash,
      time: request.time,
      proposer: request.proposerAddress,
      txs,
      lastVotes: votesOf(request.decidedLastCommit),
      misbehavior: request.misbehavior.map(misbehaviorOf),
    });
    return finalizedToWire(finalized);
  }

  async commit(): Promise<ResponseCommit> {
    const block = await this.#block;
    if (!block) throw new RangeError('Commit came without a block before it');
    this.#block = undefined;
    const { height } = block.header;
    if (hasGaps(block)) await this.#deps.onGap(height);
    await this.#deps.chain.commit(block);
    return { retainHeight: BigInt(retainHeight(height, this.#options.retention)) };
  }
}
