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

/**
 * Runs the blocks that CometBFT has decided, and commits each with the header that CometBFT keeps. A commit is
 * answered before the block is durable here: CometBFT notes its own state meanwhile, and hands over again after a
 * crash what is missing here, so nothing may depend on the block before `settled`.
 */
export class DecidedBlocks {
  readonly #options: ApplicationOptions;
  readonly #deps: ApplicationDeps;
  /** The block that was run and waits for its commit. */
  #run: { readonly height: number; readonly block: Promise<Block> } | undefined;
  #settled: Promise<void> = Promise.resolve();

  constructor(options: ApplicationOptions, deps: ApplicationDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Resolves when the block that was committed last is durable and announced; rejects when that has failed. */
  settled(): Promise<void> {
    return this.#settled;
  }

  async finalizeBlock(request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock> {
    await this.#settled;
    const { chain } = this.#deps;
    const { txs, hash } = request;
    const height = Number(request.height);
    const before = {
      genesis: this.#options.genesis,
      last: chain.lastRecord,
      appHash: chain.appHash,
      validators: chain.validatorsAt(height),
    };
    // CometBFT has stored it before it asks: fetched while it runs.
    const block = this.#deps.fetchBlock({ height, hash, txs }).catch((error: unknown) => {
      this.#deps.logger.debug('a block is kept as ABCI tells it', { height, reason: messageOf(error) });
      return gappedBlock(request, before);
    });
    this.#run = { height, block };
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

  commit(): ResponseCommit {
    const run = this.#run;
    if (!run) throw new RangeError('Commit came without a block before it');
    this.#run = undefined;
    this.#settled = this.#keep(run.block);
    this.#settled.catch((error: unknown) => this.#deps.onFailure(error));
    return { retainHeight: BigInt(retainHeight(run.height, this.#options.retention)) };
  }

  async #keep(fetched: Promise<Block>): Promise<void> {
    const block = await fetched;
    if (hasGaps(block)) await this.#deps.onGap(block.header.height);
    await this.#deps.chain.commit(block);
  }
}
