import type { Chain } from '../../chain/index.ts';
import { dataHash, resultsHash, sealBlock } from '../../comet/index.ts';
import type { Mempool } from '../../mempool/index.ts';
import { changedPoints, type PointReads } from '../../state/view/index.ts';
import type { BlockContext, BlockRecord } from '../../types/index.ts';
import type { JobBase } from '../jobs/jobKind.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** The block to come, were it made of what waits now. */
export interface PendingBlock {
  readonly record: BlockRecord;
  /** The newest state with the block's changes, in the block's context. */
  readonly base: JobBase;
  readonly state: PointReads;
}

export interface PendingDeps {
  readonly chain: Pick<Chain, 'height' | 'appHash' | 'lastRecord' | 'pendingContext' | 'stateAt'>;
  readonly mempool: Pick<Mempool, 'counts' | 'reap' | 'revision'>;
  readonly jobs: Pick<Jobs, 'run'>;
}

/** Of one chain and pool as they stood. */
interface Built {
  readonly parent: BlockRecord | undefined;
  readonly revision: number;
  readonly block: Promise<PendingBlock>;
  /** Until then it is good enough although the pool has changed; infinite while it is made. */
  freshUntil: number;
}

/** A block that takes longer to make is kept for a while, so that making it never takes much of the time. */
const CHEAP_MS = 10;
const KEPT_TIMES = 10;
const EMPTY = new Uint8Array(0);

/**
 * `pending`: the newest state with the mempool's transactions, run in the order in which a block would take them.
 * Made when somebody asks, at most one at a time, and kept until the chain or the pool changes.
 */
export class PendingBlocks {
  readonly #deps: PendingDeps;
  readonly #timeoutMs: number;
  #built: Built | undefined;

  constructor(options: { readonly timeoutMs: number }, deps: PendingDeps) {
    this.#timeoutMs = options.timeoutMs;
    this.#deps = deps;
  }

  /** `undefined` when nothing waits that a block could take: `pending` is then the newest block. */
  current(): Promise<PendingBlock> | undefined {
    const { chain, mempool } = this.#deps;
    const { lastRecord } = chain;
    return lastRecord && mempool.counts().pending > 0 ? this.#wait() : undefined;
  }

  async #wait(): Promise<PendingBlock> {
    const { chain, mempool } = this.#deps;
    for (;;) {
      const built = this.#built;
      // By the block itself: a chain that was taken back may come to the same height with another.
      const isOfHead = built !== undefined && built.parent === chain.lastRecord;
      if (isOfHead && built.revision === mempool.revision) return built.block;
      if (isOfHead && built.freshUntil === Number.POSITIVE_INFINITY) {
        await built.block.catch(() => undefined);
        continue;
      }
      if (isOfHead && performance.now() < built.freshUntil) return built.block;
      return this.#start();
    }
  }

  #start(): Promise<PendingBlock> {
    const { chain, mempool } = this.#deps;
    const started = performance.now();
    const built: Built = {
      parent: chain.lastRecord,
      revision: mempool.revision,
      block: this.#make(),
      freshUntil: Number.POSITIVE_INFINITY,
    };
    this.#built = built;
    const settle = (): void => {
      const took = performance.now() - started;
      built.freshUntil = took < CHEAP_MS ? 0 : performance.now() + took * KEPT_TIMES;
    };
    const forget = (): void => {
      if (this.#built === built) this.#built = undefined;
    };
    built.block.then(settle, forget);
    return built.block;
  }

  async #make(): Promise<PendingBlock> {
    const { chain, mempool, jobs } = this.#deps;
    const context = chain.pendingContext();
    const version = chain.height;
    const txs = mempool.reap({ maxGas: context.gasLimit, maxBytes: -1 });
    const base = { version, context };
    const { stores, receipts, nextBaseFee } = await jobs.run(
      'pending',
      { base, txs },
      { timeoutMs: this.#timeoutMs },
    );
    const block = this.#block(context, txs);
    const { baseFee, gasLimit } = context;
    return {
      record: {
        block,
        results: [],
        receipts,
        baseFee,
        nextBaseFee,
        gasLimit,
        events: [],
        validators: [],
        validatorUpdates: [],
      },
      base: { ...base, changes: stores },
      state: changedPoints(chain.stateAt(version), stores),
    };
  }

  #block({ height, time, proposer, chainId }: BlockContext, txs: readonly Uint8Array[]) {
    const { lastRecord, appHash } = this.#deps.chain;
    const parent = lastRecord!.block;
    const header = { ...parent.header, chainId, height, time, appHash, proposerAddress: proposer };
    return sealBlock({
      header: {
        ...header,
        lastBlockId: parent.id,
        dataHash: dataHash(txs),
        lastResultsHash: resultsHash(lastRecord!.results),
      },
      txs,
      lastCommit: EMPTY,
    });
  }
}
