import { blockTimeToMillis } from '../../comet/index.ts';
import type { BlockRecord } from '../../types/index.ts';

/** Blocks of one stretch of time, as charts show them. */
export interface BlockSample {
  /** Start of the stretch, milliseconds since 1970. */
  readonly from: number;
  blocks: number;
  transactions: number;
  gasUsed: number;
  /** Wei; of the newest block. */
  baseFee: number;
}

const STRETCH_MS = 10_000;
/** An hour. */
const MAX_SAMPLES = 360;

/** Sums over the last hour of blocks, since the node started. */
export class BlockSamples {
  readonly #samples: BlockSample[] = [];

  add({ block, receipts, baseFee }: BlockRecord): void {
    const time = blockTimeToMillis(block.header.time);
    const from = time - (time % STRETCH_MS);
    let sample = this.#samples.at(-1);
    if (!sample || sample.from < from) {
      sample = { from, blocks: 0, transactions: 0, gasUsed: 0, baseFee: 0 };
      this.#samples.push(sample);
      if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    }
    sample.blocks++;
    sample.transactions += block.txs.length;
    for (const { gasUsed } of receipts) sample.gasUsed += Number(gasUsed);
    sample.baseFee = Number(baseFee);
  }

  /** The oldest first. */
  get samples(): readonly BlockSample[] {
    return this.#samples;
  }

  /** Blocks were taken back: their times may come again. */
  clear(): void {
    this.#samples.length = 0;
  }
}

/** Seconds between blocks of a sample, over the time that it has covered. */
export function blockSeconds({ blocks }: BlockSample): number {
  return STRETCH_MS / 1000 / blocks;
}
