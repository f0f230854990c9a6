import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type Logger, Serial } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Commit } from '../../comet/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { BlockExecutor, ConsensusEngine, TransactionPool, VoteSigner } from '../consensusEngine.ts';
import { consensusErrors } from '../consensusErrors.ts';
import { BlockMaker } from './blockMaker.ts';

export interface EmbeddedEngineOptions {
  readonly chainId: string;
  /**
   * From the start of a block to the start of the next, empty ones too. 0: a block as soon as a transaction is
   * there, and none without, but for the chain's first. `Infinity`: only `mine` makes blocks. Default 400.
   */
  readonly blockTimeMs?: number;
  /** `block` of the consensus parameters; negative is no limit. */
  readonly maxBytes: bigint;
  readonly maxGas: bigint;
  /** `version.app` of the consensus parameters. */
  readonly appProtocol?: bigint;
  /** Where the newest block's commit is kept. */
  readonly commitFile: string;
}

export interface EmbeddedEngineDeps {
  readonly executor: BlockExecutor;
  readonly pool: TransactionPool;
  readonly signer: VoteSigner;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Told once: no block can follow, the process must stop. */
  readonly onFatal: (error: unknown) => void;
}

/** A single validator with instant finality, for development and tests. */
export interface EmbeddedEngine extends ConsensusEngine {
  readonly mode: 'embedded';
  /** The precommits for the newest block, which no block holds yet. */
  readonly lastCommit: Commit;
  /** Makes a block at once, with what the pool has; a block in progress is finished first. */
  mine(): Promise<BlockRecord>;
  /**
   * Makes a block of exactly these transactions at once; they are asked for once no other block is under way. A
   * chosen time stays for the block behind it.
   */
  makeBlock(txs: () => readonly Uint8Array[]): Promise<BlockRecord>;
  /** The next block's time, milliseconds since 1970. Throws CONSENSUS_TIME_NOT_LATER. */
  setNextBlockTime(milliseconds: number): void;
  /** Each block gets the time of the one before and so many milliseconds; `undefined`: what the clock says. */
  setTimeStep(milliseconds: number | undefined): void;
  /** `EmbeddedEngineOptions.blockTimeMs` as it is now. */
  readonly blockTimeMs: number;
  setBlockTime(milliseconds: number): void;
  /** Resolves when the blocks that are under way are made. */
  settled(): Promise<void>;
  /**
   * Takes the chain of a development home back, between two blocks: `work` does it, and tells the signer. What it
   * throws before the chain has changed leaves the engine as it was.
   */
  rewind(work: (signer: Pick<VoteSigner, 'rewind'>) => Promise<void>): Promise<void>;
}

export function createEmbeddedEngine(
  options: EmbeddedEngineOptions,
  deps: EmbeddedEngineDeps,
): EmbeddedEngine {
  return new SingleValidator(options, deps);
}

const DEFAULT_BLOCK_TIME_MS = 400;
const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

class SingleValidator implements EmbeddedEngine {
  readonly mode = 'embedded';
  #blockTimeMs: number;
  readonly #deps: EmbeddedEngineDeps;
  readonly #maker: BlockMaker;
  readonly #observe: (seconds: number) => void;
  /** Blocks are made one after another. */
  readonly #serial = new Serial();
  #running = false;
  #draining = false;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => undefined;

  constructor(options: EmbeddedEngineOptions, deps: EmbeddedEngineDeps) {
    const { chainId, maxBytes, maxGas, appProtocol = 0n, commitFile } = options;
    this.#blockTimeMs = options.blockTimeMs ?? DEFAULT_BLOCK_TIME_MS;
    this.#deps = deps;
    this.#maker = new BlockMaker(
      { identity: { chainId, appProtocol, maxBytes, maxGas, proposer: deps.signer.address }, commitFile },
      deps,
    );
    const histogram = deps.metrics?.histogram({
      name: 'chain_consensus_block_seconds',
      help: 'Time from the proposal of a block to its commit.',
      buckets: BUCKETS,
    });
    this.#observe = (seconds) => histogram?.observe(seconds);
  }

  get lastCommit(): Commit {
    return this.#maker.lastCommit;
  }

  async start(): Promise<void> {
    await this.#maker.open();
    this.#running = true;
    const { executor, logger } = this.#deps;
    logger.info('Embedded consensus engine is started', {
      height: executor.height,
      blockTimeMs: this.#blockTimeMs,
    });
    // Genesis is part of the first block: without one there is nothing to read.
    if (this.#blockTimeMs === 0 && executor.height === 0) await this.#enqueue(() => this.#make([]));
    this.#keepMaking();
  }

  get blockTimeMs(): number {
    return this.#blockTimeMs;
  }

  setBlockTime(milliseconds: number): void {
    this.#pause();
    this.#blockTimeMs = milliseconds;
    this.#keepMaking();
  }

  async settled(): Promise<void> {
    await this.#serial.idle();
  }

  async rewind(work: (signer: Pick<VoteSigner, 'rewind'>) => Promise<void>): Promise<void> {
    const refused = await this.#enqueue(async () => {
      const { executor, signer } = this.#deps;
      const { height } = executor;
      let refusal: { readonly error: unknown } | undefined;
      await this.#maker.rewind(async () => {
        try {
          await work(signer);
        } catch (error) {
          if (executor.height !== height) throw error;
          refusal = { error };
        }
      });
      return refusal;
    });
    if (refused) throw refused.error;
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#pause();
    await this.#serial.idle();
    await this.#maker.close();
  }

  mine(): Promise<BlockRecord> {
    return this.#enqueue(() => this.#make(this.#maker.reap()));
  }

  async makeBlock(txs: () => readonly Uint8Array[]): Promise<BlockRecord> {
    const made = await this.#enqueue(async () => {
      let chosen: readonly Uint8Array[];
      try {
        chosen = txs();
      } catch (error) {
        // Its caller's fault: the engine goes on.
        return { error };
      }
      return { record: await this.#make(chosen, true) };
    });
    if (made.record) return made.record;
    throw made.error;
  }

  setNextBlockTime(milliseconds: number): void {
    this.#maker.setNextTime(milliseconds);
  }

  setTimeStep(milliseconds: number | undefined): void {
    this.#maker.setTimeStep(milliseconds);
  }

  #keepMaking(): void {
    if (!this.#running) return;
    if (this.#blockTimeMs === 0) {
      this.#unsubscribe = this.#deps.pool.onTransaction(() => this.#drain());
      this.#drain();
    } else if (Number.isFinite(this.#blockTimeMs)) {
      this.#schedule(performance.now());
    }
  }

  #pause(): void {
    this.#unsubscribe();
    this.#unsubscribe = () => undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Makes a block at `due`, on `performance.now()`'s scale, and so on. A late block does not hurry the next. */
  #schedule(due: number): void {
    const timer = setTimeout(
      () => {
        const next = Math.max(due + this.#blockTimeMs, performance.now());
        const again = (): void => {
          // Another pace was set meanwhile, or none.
          if (this.#running && this.#timer === timer) this.#schedule(next);
        };
        this.mine().then(again, () => undefined);
      },
      Math.max(0, due - performance.now()),
    );
    this.#timer = timer;
  }

  /** Makes blocks until the pool has nothing that fits. */
  #drain(): void {
    if (this.#draining || !this.#running) return;
    this.#draining = true;
    const work = async (): Promise<void> => {
      // Transactions that arrived together go into one block.
      await nextTurn();
      // From here on a new transaction is either reaped below or starts the next drain.
      this.#draining = false;
      for (let txs = this.#reapIfRunning(); txs.length > 0; txs = this.#reapIfRunning())
        await this.#make(txs);
    };
    this.#enqueue(work).catch(() => undefined);
  }

  #reapIfRunning(): Uint8Array[] {
    return this.#running ? this.#maker.reap() : [];
  }

  async #make(txs: readonly Uint8Array[], keepTime = false): Promise<BlockRecord> {
    const started = performance.now();
    const record = await this.#maker.make(txs, keepTime);
    this.#observe((performance.now() - started) / 1000);
    this.#deps.logger.debug('Block is committed', {
      height: record.block.header.height,
      transactions: txs.length,
      hash: record.block.id.hash,
    });
    return record;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(() => {
      if (!this.#running) throw consensusErrors.notRunning();
      return work().catch((error: unknown) => this.#halt(error));
    });
  }

  #halt(error: unknown): never {
    if (this.#running) {
      this.#running = false;
      this.#pause();
      this.#deps.logger.error('Embedded consensus engine has failed', { error });
      this.#deps.onFatal(error);
    }
    throw error;
  }
}
