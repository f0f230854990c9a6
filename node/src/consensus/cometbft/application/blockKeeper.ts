import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@chain/platform';
import type { RequestFinalizeBlock } from 'cosmjs-types/tendermint/abci/types';
import type { FinalizedBlock } from '../../../chain/index.ts';
import type { Block, BlockRecord } from '../../../types/index.ts';
import type { ApplicationDeps, ApplicationOptions } from './applicationDeps.ts';
import { gappedBlock, hasGaps } from './gappedBlock.ts';

/** A block that was run and that CometBFT takes for committed. */
export interface CommittedBlock {
  readonly request: RequestFinalizeBlock;
  readonly finalized: FinalizedBlock;
  /** After the block before. */
  readonly appHash: Uint8Array;
  /** Others follow at once: it may wait for them, and share their requests and syncs. */
  readonly mayWait: boolean;
  /** As CometBFT has it, where that was asked for already. */
  readonly fetched: Promise<Block> | undefined;
}

/** Blocks that are kept together, and how long the first may wait for the others. */
const GROUP_BLOCKS = 32;
const GATHER_MS = 100;

/**
 * Keeps committed blocks, in order: fetches what ABCI does not tell of them, makes them durable and announces them.
 * While the node is behind, many blocks share one request to CometBFT and one sync.
 */
export class BlockKeeper {
  readonly #options: ApplicationOptions;
  readonly #deps: ApplicationDeps;
  readonly #waiting: CommittedBlock[] = [];
  #added = 0;
  #kept = 0;
  #running = false;
  /** How many wait for all that was added. */
  #settling = 0;
  #failure: unknown;
  /** Resolves with the group that is under way, or when keeping has failed. */
  #progress = Promise.withResolvers<void>();
  #hurry: () => void = () => undefined;

  constructor(options: ApplicationOptions, deps: ApplicationDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  add(block: CommittedBlock): void {
    this.#waiting.push(block);
    this.#added++;
    if (!this.#mayGather()) this.#hurry();
    if (!this.#running) void this.#keepAll();
  }

  /** Resolves when every block added so far is durable and announced; rejects when that has failed. */
  async settled(): Promise<void> {
    const added = this.#added;
    this.#settling++;
    this.#hurry();
    try {
      while (this.#kept < added && this.#failure === undefined) await this.#progress.promise;
    } finally {
      this.#settling--;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when another block may be run ahead of those that wait; rejects when one could not be kept. */
  async room(): Promise<void> {
    while (this.#waiting.length >= GROUP_BLOCKS && this.#failure === undefined) await this.#progress.promise;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #keepAll(): Promise<void> {
    this.#running = true;
    try {
      while (this.#waiting.length > 0) {
        if (this.#mayGather()) await this.#gather();
        const group = this.#waiting.splice(0, GROUP_BLOCKS);
        await this.#keep(group);
        this.#kept += group.length;
        this.#tell();
      }
      this.#running = false;
    } catch (error) {
      // It takes no more: the chain has halted.
      this.#failure = error;
      this.#tell();
      this.#deps.onFailure(error);
    }
  }

  #tell(): void {
    const { resolve } = this.#progress;
    this.#progress = Promise.withResolvers();
    resolve();
  }

  #mayGather(): boolean {
    return this.#settling === 0 && this.#waiting.length < GROUP_BLOCKS && this.#waiting.at(-1)!.mayWait;
  }

  async #gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hurry = resolve;
    const ended = new AbortController();
    const over = pause(GATHER_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    await Promise.race([promise, over]);
    ended.abort();
    this.#hurry = () => undefined;
  }

  async #keep(group: readonly CommittedBlock[]): Promise<void> {
    const blocks = await this.#wholeBlocks(group);
    for (const block of blocks) if (hasGaps(block)) await this.#deps.onGap(block.header.height);
    await this.#deps.chain.commit(...blocks);
  }

  /** With the header and commit that CometBFT keeps of each; as ABCI tells them where it does not answer. */
  async #wholeBlocks(group: readonly CommittedBlock[]): Promise<Block[]> {
    const { chain, logger, fetchBlocks } = this.#deps;
    const known = group
      .filter(({ fetched }) => !fetched)
      .map(({ request: { hash, txs }, finalized: { height } }) => ({ height, hash, txs }));
    const asked = fetchBlocks(known)[Symbol.iterator]();
    const answers = await Promise.allSettled(
      group.map(({ fetched }) => fetched ?? (asked.next().value as Promise<Block>)),
    );
    let last: Pick<BlockRecord, 'block' | 'results'> | undefined = chain.lastRecord;
    return group.map(({ request, finalized, appHash }, i) => {
      const { height, validators, results } = finalized;
      const answer = answers[i]!;
      const { genesis } = this.#options;
      if (answer.status === 'rejected') {
        logger.debug('a block is kept as ABCI tells it', { height, reason: messageOf(answer.reason) });
      }
      const block =
        answer.status === 'fulfilled'
          ? answer.value
          : gappedBlock(request, { genesis, last, appHash, validators });
      last = { block, results };
      return block;
    });
  }
}
