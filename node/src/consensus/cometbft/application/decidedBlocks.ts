import type {
  RequestFinalizeBlock,
  ResponseCommit,
  ResponseFinalizeBlock,
} from 'cosmjs-types/tendermint/abci/types';
import type { ApplicationDeps, ApplicationOptions } from './applicationDeps.ts';
import { BlockKeeper, type CommittedBlock } from './blockKeeper.ts';
import { retainHeight } from './retainHeight.ts';
import { finalizedToWire, misbehaviorOf, votesOf } from './wire.ts';

/** A block that is so much older than the clock is one of many that are to be caught up with. */
const BEHIND_MS = 5000;

/**
 * Runs the blocks that CometBFT has decided. A commit is answered before the block is durable here: CometBFT notes its
 * own state meanwhile, and hands over again after a crash what is missing here, so nothing may depend on the block
 * before `settled`. While the node is behind, blocks are also run before those under them are durable.
 */
export class DecidedBlocks {
  readonly #options: ApplicationOptions;
  readonly #deps: ApplicationDeps;
  readonly #keeper: BlockKeeper;
  /** The block that was run and waits for its commit. */
  #run: CommittedBlock | undefined;
  /** The newest block that was committed. */
  #last: { readonly height: number; readonly appHash: Uint8Array } | undefined;

  constructor(options: ApplicationOptions, deps: ApplicationDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#keeper = new BlockKeeper(options, deps);
  }

  /** Resolves when the block that was committed last is durable and announced; rejects when that has failed. */
  settled(): Promise<void> {
    return this.#keeper.settled();
  }

  async finalizeBlock(request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock> {
    const { chain, fetchBlocks } = this.#deps;
    const { txs, hash, time } = request;
    const height = Number(request.height);
    const mayWait = this.#isBehind(time.seconds);
    if (mayWait && !chain.isCommitBarrier(height - 1)) await this.#keeper.room();
    else await this.#keeper.settled();
    const appHash = this.#last?.height === height - 1 ? this.#last.appHash : chain.appHash;
    // CometBFT has stored it before it asks: fetched while it runs.
    const fetched = mayWait ? undefined : fetchBlocks([{ height, hash, txs }])[0];
    fetched?.catch(() => undefined);
    const finalized = await chain.finalizeBlock({
      height,
      hash,
      time,
      proposer: request.proposerAddress,
      txs,
      lastVotes: votesOf(request.decidedLastCommit),
      misbehavior: request.misbehavior.map(misbehaviorOf),
    });
    this.#run = { request, finalized, appHash, mayWait, fetched };
    return finalizedToWire(finalized);
  }

  commit(): ResponseCommit {
    const run = this.#run;
    if (!run) throw new RangeError('Commit came without a block before it');
    this.#run = undefined;
    this.#last = run.finalized;
    this.#keeper.add(run);
    const retained = retainHeight(run.finalized.height, this.#options.retention);
    // What is not durable here is handed over again after a crash: CometBFT must keep it.
    return { retainHeight: BigInt(Math.min(retained, this.#deps.chain.height)) };
  }

  #isBehind(seconds: bigint): boolean {
    return this.#deps.clock.now() - Number(seconds) * 1000 > BEHIND_MS;
  }
}
