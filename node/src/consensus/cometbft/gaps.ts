import { readFile, rm } from 'node:fs/promises';
import { isCodedError, type Logger, messageOf, Serial, writeFileDurably } from '@chain/platform';
import type { Chain } from '../../chain/index.ts';
import type { History } from '../../history/index.ts';
import type { Block } from '../../types/index.ts';
import { hasGaps } from './application/gappedBlock.ts';
import type { KnownBlock } from './client/fetchBlock.ts';

export interface GapDeps {
  readonly chain: Pick<Chain, 'height' | 'completeBlock'>;
  readonly history: Pick<History, 'blockByHeight' | 'earliestHeight'>;
  fetchBlock(known: KnownBlock): Promise<Block>;
  readonly logger: Logger;
}

/**
 * Blocks that CometBFT replayed before its RPC was there are kept with gaps (no signatures, no parts). A file says
 * from which height on, until all are completed.
 */
export class Gaps {
  readonly #file: string;
  readonly #deps: GapDeps;
  #known: boolean | undefined;
  /** The newest height noted by this process: its block may not be kept yet. */
  #noted = 0;
  /** What is done with the file. */
  readonly #serial = new Serial();

  constructor(options: { readonly file: string }, deps: GapDeps) {
    this.#file = options.file;
    this.#deps = deps;
  }

  /** Durable before a block with gaps is. */
  note(height: number): Promise<void> {
    this.#noted = height;
    return this.#serial.run(async () => {
      this.#known ??= (await this.#first()) !== undefined;
      if (this.#known) return;
      await writeFileDurably(this.#file, `${height}\n`);
      this.#known = true;
    });
  }

  /** Whether all are; else another is about to be kept with gaps. Throws CONSENSUS_COMET_DOWN when CometBFT has gone. */
  async complete(): Promise<boolean> {
    const first = await this.#first();
    if (first === undefined) return true;
    const { chain, history, logger } = this.#deps;
    let completed = 0;
    let height = Math.max(first, history.earliestHeight);
    for (; height <= chain.height; height++) {
      const block = history.blockByHeight(height)?.block;
      if (block && hasGaps(block) && (await this.#completeOne(block))) completed++;
    }
    return this.#serial.run(async () => {
      if (this.#noted >= height) return false;
      await rm(this.#file);
      this.#known = false;
      logger.info('Replayed blocks are completed', { first, completed });
      return true;
    });
  }

  async #completeOne({ header: { height }, id, txs }: Block): Promise<boolean> {
    const { chain, fetchBlock, logger } = this.#deps;
    try {
      await chain.completeBlock(await fetchBlock({ height, hash: id.hash, txs }));
      return true;
    } catch (error) {
      if (!isCodedError(error) || error.code === 'CONSENSUS_COMET_DOWN') throw error;
      logger.warn('A block stays without its signatures: CometBFT has it no more', {
        height,
        reason: messageOf(error),
      });
      return false;
    }
  }

  async #first(): Promise<number | undefined> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : Number(text);
  }
}
