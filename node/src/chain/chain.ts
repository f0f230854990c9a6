import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CodedError, Serial } from '@chain/platform';
import { equalBytes } from '../primitives/index.ts';
import type { PointReads, RangeReads } from '../state/view/index.ts';
import type { Block, BlockContext, BlockRecord, ValidatorPower } from '../types/index.ts';
import { type BlockListener, BlockListeners } from './blockListeners.ts';
import {
  type FinalizedBlock,
  finalizedBlock,
  type HashedRun,
  type RecordedRun,
  type Run,
  withRecord,
} from './blockRun.ts';
import { chainErrors } from './chainErrors.ts';
import { type ChainMetrics, chainMetrics } from './chainMetrics.ts';
import { type ChainOptions, type ChainParts, heightOf, isCommitBarrier } from './chainParts.ts';
import { type BlockProposal, Contexts, nextBaseFee, timeAfter } from './contexts.ts';
import { shrinkChangelog } from './retention.ts';
import { applyRewind, notifyRewind, planRewind, type RewindHooks, type RewindListener } from './rewind.ts';
import { type RunParts, runNext } from './runNext.ts';
import { stateAt } from './stateAt.ts';
import { ValidatorSets } from './validatorSets.ts';

export class Chain {
  readonly #options: ChainOptions;
  readonly #parts: ChainParts;
  readonly #metrics: ChainMetrics;
  readonly #contexts: Contexts;
  readonly #validators: ValidatorSets;
  readonly #runParts: RunParts;
  /** What moves SC, and what makes blocks durable and announces them: the one may be ahead of the other. */
  readonly #runs = new Serial();
  readonly #commits = new Serial();
  readonly #listeners: BlockListeners;
  readonly #rewindListeners = new Set<RewindListener>();
  #height: number;
  #appHash: Uint8Array;
  #lastRecord: BlockRecord | undefined;
  /** Run, and not yet committed; oldest first. */
  readonly #finalized: HashedRun[] = [];
  #failure: CodedError | undefined;

  /** Use `openChain`, which checks the parts first. */
  constructor(options: ChainOptions, parts: ChainParts) {
    this.#options = options;
    this.#parts = parts;
    this.#metrics = chainMetrics(parts.metrics);
    this.#listeners = new BlockListeners(parts);
    this.#validators = new ValidatorSets(options, {
      ...parts,
      newest: () => ({ height: this.#height, state: () => this.stateAt(this.#height) }),
    });
    this.#contexts = new Contexts(options, { ...parts, validators: this.#validators });
    this.#runParts = {
      ...parts,
      ...{ contexts: this.#contexts, validators: this.#validators, timed: this.#metrics.timed },
    };
    this.#height = heightOf(parts.stateCommit.version, options.genesis);
    this.#appHash = parts.stateCommit.appHash;
    this.#lastRecord = this.#height > 0 ? parts.history.blockByHeight(this.#height) : undefined;
  }

  /** The newest announced height; 0 before the first block. */
  get height(): number {
    return this.#height;
  }

  /** The app hash after `height`. */
  get appHash(): Uint8Array {
    return this.#appHash;
  }

  /** The newest announced block; `undefined` before the first one, and right after a restore. */
  get lastRecord(): BlockRecord | undefined {
    return this.#lastRecord;
  }

  /** The height that the next block must have. */
  get nextHeight(): number {
    return this.#height === 0 ? this.#options.genesis.initialHeight : this.#height + 1;
  }

  /** Set once a commit has failed: the chain takes no more blocks and the process must restart. */
  get failure(): CodedError | undefined {
    return this.#failure;
  }

  /** Whether block `height` must be announced before the next one is finalized. */
  isCommitBarrier(height: number): boolean {
    return isCommitBarrier(height, this.#options, this.#parts);
  }

  /** State that the next block builds on; between a block's run and its commit it already holds that block. */
  get newestState(): PointReads & RangeReads {
    if (this.#failure) throw this.#failure;
    return this.#parts.stateCommit;
  }

  /**
   * Runs a decided block and moves SC to it, in memory only. Its `commit` must follow, and may come after later blocks
   * were finalized, except where `isCommitBarrier` says otherwise; the newest block once more gets the same answer.
   */
  finalizeBlock(proposal: BlockProposal): Promise<FinalizedBlock> {
    return this.#runs.run(async () => {
      const known = this.#finalized.at(-1);
      if (known && equalBytes(known.hash, proposal.hash)) return finalizedBlock(known);
      if (known?.context.height === proposal.height) throw chainErrors.notCommitted(proposal.height);
      const run = await this.#applyToCommit(await this.#run(proposal));
      this.#finalized.push(run);
      return finalizedBlock(run);
    });
  }

  /** Makes the oldest finalized blocks durable, all by one sync, hands them to the stores and announces them in order. */
  commit(...blocks: readonly Block[]): Promise<void> {
    return this.#commits.run(async () => {
      if (this.#failure) throw this.#failure;
      for (const [i, { header }] of blocks.entries()) {
        if (this.#finalized[i]?.context.height !== header.height)
          throw chainErrors.notFinalized(header.height);
      }
      const runs = this.#finalized.splice(0, blocks.length);
      await this.#orHalt(blocks[0]!.header.height, async () => {
        const recorded = runs.map((run, i) => withRecord(blocks[i]!, run));
        await Promise.all(recorded.map((run) => this.#log(run)));
        for (const run of recorded) await this.#publish(run);
      });
    });
  }

  /**
   * `finalizeBlock` and `commit` in one, for a block that is already decided and needs no answer in between:
   * the changelog syncs while SC hashes.
   */
  applyBlock(block: Block): Promise<{ record: BlockRecord; finalized: FinalizedBlock }> {
    return this.#runs.run(async () => {
      const { header, id, txs } = block;
      const waiting = this.#finalized.at(-1);
      if (waiting) throw chainErrors.notCommitted(waiting.context.height);
      const run = await this.#run({
        height: header.height,
        hash: id.hash,
        time: header.time,
        proposer: header.proposerAddress,
        txs,
        lastVotes: this.#contexts.votesOf(header.height, block.lastCommit),
      });
      const recorded = withRecord(block, run);
      return this.#orHalt(header.height, async () => {
        // The hash holds the thread; one turn of the loop lets the write leave it first.
        const hashing = nextTurn().then(() => this.#applyToCommit(recorded));
        const [hashed] = await Promise.all([hashing, this.#log(recorded)]);
        return { record: await this.#publish(hashed), finalized: finalizedBlock(hashed) };
      });
    });
  }

  /** Puts the whole block in the place of one of the same hash that was committed with gaps. */
  completeBlock(block: Block): Promise<void> {
    return this.#commits.run(async () => {
      const record = await this.#parts.history.completeBlock(block);
      if (this.#height === block.header.height) this.#lastRecord = record;
    });
  }

  /**
   * Takes back every block above `height`, in every store: for development homes alone, where nobody else has them.
   * Throws CHAIN_CANNOT_GO_BACK, CHAIN_OLDER_STATE_DIFFERS before anything has changed.
   */
  rewind(height: number, { begin, end }: RewindHooks): Promise<void> {
    return this.#runs.run(async () => {
      if (this.#failure) throw this.#failure;
      if (height >= this.#height) return;
      const plan = await planRewind(height, this.#options.genesis.initialHeight, this.#parts);
      const gone = await notifyRewind(plan, this.#rewindListeners);
      await begin(plan.next);
      await this.#orHalt(height + 1, async () => {
        // Nobody is to read what goes.
        this.#height = height;
        this.#lastRecord = this.#parts.history.blockByHeight(height);
        this.#finalized.length = 0;
        this.#contexts.forgetAbove(height);
        await applyRewind(plan, this.#parts);
        this.#appHash = plan.older.appHash;
        await end();
      });
      for (const each of gone) each();
    });
  }

  /** Returns the unsubscriber. */
  onRewind(listener: RewindListener): () => void {
    this.#rewindListeners.add(listener);
    return () => void this.#rewindListeners.delete(listener);
  }

  /** Returns the unsubscriber. */
  onBlock(listener: BlockListener): () => void {
    return this.#listeners.add(listener);
  }

  /** The context in which block `height` ran. Throws CHAIN_HEIGHT_NOT_YET, CHAIN_HEIGHT_PRUNED. */
  contextAt(height: number): BlockContext {
    return this.#contexts.at(height, this.#height);
  }

  /**
   * The same for calls on the state after it, without votes. It is one object for all calls on a block, so that what
   * follows from it may be kept with it.
   */
  callContextAt(height: number): BlockContext {
    return this.#contexts.ofCallsAt(height, this.#height);
  }

  /** Who signs a block: one that is there, or one of the two that come next. */
  validatorsAt(height: number): readonly ValidatorPower[] {
    return this.#validators.at(height);
  }

  /** Header hash of a block; `undefined` when it is not held. */
  blockHash(height: number): Uint8Array | undefined {
    return this.#contexts.hashOf(height);
  }

  /** The context that a block made now would have. */
  pendingContext(): BlockContext {
    const last = this.#lastRecord?.block.header;
    const time = timeAfter(last?.time, this.#parts.clock.now());
    const block = { height: this.nextHeight, time, proposer: last?.proposerAddress ?? new Uint8Array(20) };
    const isFirst = this.#height === 0;
    return this.#contexts.of(
      block,
      nextBaseFee(this.newestState, this.#options, this.#parts.execution, isFirst),
    );
  }

  /** State after block `version`, from SS. Throws CHAIN_HEIGHT_NOT_YET, CHAIN_HEIGHT_PRUNED. */
  stateAt(version: number): PointReads {
    return stateAt(version, this.#height, this.#parts);
  }

  /** Waits for a block in progress. The parts stay open: their opener closes them. */
  async close(): Promise<void> {
    await this.#runs.idle();
    await this.#commits.idle();
  }

  #run(proposal: BlockProposal): Promise<Run> {
    if (this.#failure) throw this.#failure;
    return runNext(proposal, this.#options, this.#runParts);
  }

  async #applyToCommit<R extends Run>(run: R): Promise<R & HashedRun> {
    const { height: version } = run.context;
    const changes = { version, stores: run.outcome.stores };
    const appHash = await this.#metrics.timed('hash', () =>
      this.#orHalt(version, async () => this.#parts.stateCommit.apply(changes)),
    );
    return { ...run, appHash };
  }

  #log({ context, outcome, encoded }: RecordedRun): Promise<void> {
    const changes = { version: context.height, stores: outcome.stores };
    return this.#metrics.timed('log', () => this.#parts.changelog.append({ changes, record: encoded }));
  }

  /** Everything after the entry is durable. Stores first, then the height, then the listeners. */
  async #publish(run: RecordedRun & HashedRun): Promise<BlockRecord> {
    const { context, outcome, record, encoded } = run;
    const { stateCommit, stateStore, flatKv, history } = this.#parts;
    const { height } = context;
    await this.#metrics.timed('store', async () => {
      await stateStore.apply({ version: height, stores: outcome.stores });
      await history.append(record, encoded);
      await flatKv?.apply({ version: height, stores: outcome.stores });
    });
    this.#contexts.remember(record);
    this.#height = height;
    this.#appHash = run.appHash;
    this.#lastRecord = record;
    stateCommit.maybeSnapshot();
    shrinkChangelog(height, this.#parts, this.#options.changelogKeepRecent);
    this.#metrics.committed(height, record.block.txs.length, outcome.gasUsed);
    this.#listeners.tell(record, outcome.stores);
    return record;
  }

  /** SC has moved in memory, or is about to: what fails from here on leaves the parts at different heights. */
  async #orHalt<T>(height: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failure ??= chainErrors.halted(height, error);
      this.#parts.logger.error('the chain has halted', { height, error });
      throw this.#failure;
    }
  }
}
