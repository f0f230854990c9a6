import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CodedError, Serial } from '@chain/platform';
import { equalBytes } from '../primitives/index.ts';
import type { PointReads, RangeReads } from '../state/view/index.ts';
import type { Block, BlockContext, BlockRecord, ValidatorPower } from '../types/index.ts';
import { type FinalizedBlock, finalizedBlock, type RecordedRun, type Run, withRecord } from './blockRun.ts';
import { chainErrors } from './chainErrors.ts';
import { type ChainMetrics, chainMetrics } from './chainMetrics.ts';
import { type ChainOptions, type ChainParts, heightOf } from './chainParts.ts';
import { type BlockProposal, Contexts, nextBaseFee, timeAfter } from './contexts.ts';
import { type GoBackHooks, type GoBackListener, moveBack, tellOfWay, wayBack } from './goBack.ts';
import { shrinkChangelog } from './retention.ts';
import { ValidatorSets } from './validatorSets.ts';

/** Told of a block once it is durable and readable. What it throws is logged and goes no further. */
export type BlockListener = (record: BlockRecord) => void;

export class Chain {
  readonly #options: ChainOptions;
  readonly #parts: ChainParts;
  readonly #metrics: ChainMetrics;
  readonly #contexts: Contexts;
  readonly #validators: ValidatorSets;
  readonly #serial = new Serial();
  readonly #listeners = new Set<BlockListener>();
  readonly #goBackListeners = new Set<GoBackListener>();
  #height: number;
  #appHash: Uint8Array;
  #lastRecord: BlockRecord | undefined;
  #finalized: Run | undefined;
  #failure: CodedError | undefined;

  /** Use `openChain`, which checks the parts first. */
  constructor(options: ChainOptions, parts: ChainParts) {
    this.#options = options;
    this.#parts = parts;
    this.#metrics = chainMetrics(parts.metrics);
    this.#validators = new ValidatorSets(options, {
      ...parts,
      newest: () => ({ height: this.#height, state: () => this.stateAt(this.#height) }),
    });
    this.#contexts = new Contexts(options, { ...parts, validators: this.#validators });
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

  /** State that the next block builds on; between a block's run and its commit it already holds that block. */
  get newestState(): PointReads & RangeReads {
    if (this.#failure) throw this.#failure;
    return this.#parts.stateCommit;
  }

  /**
   * Runs a decided block and moves SC to it, in memory only. Its `commit` must follow; the same block once more
   * gets the same answer.
   */
  finalizeBlock(proposal: BlockProposal): Promise<FinalizedBlock> {
    return this.#serial.run(async () => {
      const known = this.#finalized;
      if (known && equalBytes(known.hash, proposal.hash)) {
        return finalizedBlock(known, this.#parts.stateCommit.appHash);
      }
      const run = await this.#run(proposal);
      await this.#applyToCommit(run);
      this.#finalized = run;
      return finalizedBlock(run, this.#parts.stateCommit.appHash);
    });
  }

  /** Makes the finalized block durable, hands it to the stores and announces it. */
  commit(block: Block): Promise<BlockRecord> {
    return this.#serial.run(async () => {
      if (this.#failure) throw this.#failure;
      const run = this.#finalized;
      const { height } = block.header;
      if (run?.context.height !== height) throw chainErrors.notFinalized(height);
      this.#finalized = undefined;
      return this.#orHalt(height, async () => {
        const recorded = withRecord(block, run);
        await this.#log(recorded);
        return this.#publish(recorded);
      });
    });
  }

  /**
   * `finalizeBlock` and `commit` in one, for a block that is already decided and needs no answer in between:
   * the changelog syncs while SC hashes.
   */
  applyBlock(block: Block): Promise<{ record: BlockRecord; finalized: FinalizedBlock }> {
    return this.#serial.run(async () => {
      const { header, id, txs } = block;
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
        const hashed = nextTurn().then(() => this.#applyToCommit(run));
        await Promise.all([this.#log(recorded), hashed]);
        const finalized = finalizedBlock(run, this.#parts.stateCommit.appHash);
        return { record: await this.#publish(recorded), finalized };
      });
    });
  }

  /** Puts the whole block in the place of one of the same hash that was committed with gaps. */
  completeBlock(block: Block): Promise<void> {
    return this.#serial.run(async () => {
      const record = await this.#parts.history.completeBlock(block);
      if (this.#height === block.header.height) this.#lastRecord = record;
    });
  }

  /**
   * Takes back every block above `height`, in every store: for development homes alone, where nobody else has them.
   * Throws CHAIN_CANNOT_GO_BACK, CHAIN_OLDER_STATE_DIFFERS before anything has changed.
   */
  goBack(height: number, { begin, end }: GoBackHooks): Promise<void> {
    return this.#serial.run(async () => {
      if (this.#failure) throw this.#failure;
      if (height >= this.#height) return;
      const way = await wayBack(height, this.#options.genesis.initialHeight, this.#parts);
      const gone = await tellOfWay(way, this.#goBackListeners);
      await begin(way.next);
      await this.#orHalt(height + 1, async () => {
        // Nobody is to read what goes.
        this.#height = height;
        this.#lastRecord = this.#parts.history.blockByHeight(height);
        this.#finalized = undefined;
        this.#contexts.forgetAbove(height);
        await moveBack(way, this.#parts);
        this.#appHash = way.older.appHash;
        await end();
      });
      for (const each of gone) each();
    });
  }

  /** Returns the unsubscriber. */
  onGoBack(listener: GoBackListener): () => void {
    this.#goBackListeners.add(listener);
    return () => void this.#goBackListeners.delete(listener);
  }

  /** Returns the unsubscriber. */
  onBlock(listener: BlockListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The context in which block `height` ran. Throws CHAIN_HEIGHT_NOT_YET, CHAIN_HEIGHT_PRUNED. */
  contextAt(height: number): BlockContext {
    if (height > this.#height) throw chainErrors.notYet(height, this.#height);
    const record = this.#parts.history.blockByHeight(height);
    if (!record) throw chainErrors.pruned(height, this.#parts.history.earliestHeight);
    return this.#contexts.ofRecord(record);
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
    return this.#contexts.of(block, this.#nextBaseFee());
  }

  /** State after block `version`, from SS. Throws CHAIN_HEIGHT_NOT_YET, CHAIN_HEIGHT_PRUNED. */
  stateAt(version: number): PointReads {
    const { stateStore } = this.#parts;
    if (version > this.#height) throw chainErrors.notYet(version, this.#height);
    const requireUnpruned = (): void => {
      if (version < stateStore.earliestVersion) throw chainErrors.pruned(version, stateStore.earliestVersion);
    };
    requireUnpruned();
    return {
      get: (store, key) => {
        // A prune may pass the version while a call still runs on it: an error, never an empty account.
        requireUnpruned();
        return stateStore.get(store, key, version);
      },
    };
  }

  /** Waits for a block in progress. The parts stay open: their opener closes them. */
  async close(): Promise<void> {
    await this.#serial.idle();
  }

  async #run(proposal: BlockProposal): Promise<Run> {
    if (this.#failure) throw this.#failure;
    if (this.#finalized) throw chainErrors.notCommitted(this.#finalized.context.height);
    const { haltHeight = 0 } = this.#options;
    if (haltHeight > 0 && proposal.height > haltHeight) throw chainErrors.haltHeight(haltHeight);
    if (proposal.height !== this.nextHeight) throw chainErrors.wrongHeight(proposal.height, this.nextHeight);
    const context = this.#contexts.of(proposal, this.#nextBaseFee());
    const validators = this.#validators.at(proposal.height);
    const genesis = this.#height === 0 && { genesis: this.#options.genesis.state };
    const input = { context, hash: proposal.hash, txs: proposal.txs, ...genesis };
    const outcome = await this.#metrics.timed('run', () =>
      this.#parts.execution.runBlock(input, this.#parts.stateCommit),
    );
    return { hash: proposal.hash, context, validators, outcome };
  }

  async #applyToCommit({ context: { height: version }, outcome: { stores } }: Run): Promise<void> {
    await this.#metrics.timed('hash', () =>
      this.#orHalt(version, async () => this.#parts.stateCommit.apply({ version, stores })),
    );
  }

  #log({ context, outcome, encoded }: RecordedRun): Promise<void> {
    const changes = { version: context.height, stores: outcome.stores };
    return this.#metrics.timed('log', () => this.#parts.changelog.append({ changes, record: encoded }));
  }

  /** Everything after the entry is durable. Stores first, then the height, then the listeners. */
  async #publish({ context: { height }, outcome, record, encoded }: RecordedRun): Promise<BlockRecord> {
    const { stateCommit, stateStore, flatKv, history } = this.#parts;
    await this.#metrics.timed('store', async () => {
      await stateStore.apply({ version: height, stores: outcome.stores });
      await history.append(record, encoded);
      await flatKv?.apply({ version: height, stores: outcome.stores });
    });
    this.#contexts.remember(record);
    this.#height = height;
    this.#appHash = stateCommit.appHash;
    this.#lastRecord = record;
    stateCommit.maybeSnapshot();
    shrinkChangelog(height, this.#parts, this.#options.changelogKeepRecent);
    this.#metrics.committed(height, record.block.txs.length, outcome.gasUsed);
    for (const listener of this.#listeners) this.#tell(listener, record);
    return record;
  }

  #tell(listener: BlockListener, record: BlockRecord): void {
    try {
      listener(record);
    } catch (error) {
      this.#parts.logger.error('a block listener failed', { height: record.block.header.height, error });
    }
  }

  #nextBaseFee(): bigint {
    return nextBaseFee(this.newestState, this.#options, this.#parts.execution, this.#height === 0);
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
