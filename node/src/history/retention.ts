import { type Logger, Serial } from '@chain/platform';
import type { KeyValueDb } from '../db/index.ts';
import type { LogIndex } from './index/logIndex.ts';
import { pruneBlocks } from './pruneBlocks.ts';
import { type ReceiptOptions, ReceiptRetention } from './receiptRetention.ts';
import { type Extent, floorRow } from './rows.ts';

const PRUNE_EVERY_BLOCKS = 64;

interface Deps {
  readonly db: KeyValueDb;
  readonly index: LogIndex;
  readonly logger: Logger;
  readonly extent: () => Extent;
  /** Nothing below is found any more. */
  readonly raiseFirst: (first: number) => void;
  /** Resolves when all blocks are in the database. */
  readonly flush: () => Promise<void>;
  readonly isStopped: () => boolean;
}

/** How long blocks and their receipts are kept. Prunes run one after another. */
export class Retention {
  readonly #retainBlocks: number;
  readonly #deps: Deps;
  readonly #receipts: ReceiptRetention;
  readonly #serial = new Serial();

  /** `retainBlocks` = 0 keeps all. */
  constructor(
    { retainBlocks, receipts }: { readonly retainBlocks: number; readonly receipts: ReceiptOptions },
    deps: Deps,
  ) {
    this.#retainBlocks = retainBlocks;
    this.#deps = deps;
    this.#receipts = new ReceiptRetention(receipts, deps);
  }

  /** What has its receipts, logs and results. */
  get receiptExtent(): Extent {
    return { first: this.#receipts.floor, last: this.#deps.extent().last };
  }

  /** Resolves when no prune runs. */
  get settled(): Promise<void> {
    return this.#serial.idle();
  }

  /** To be called with each new block. */
  onBlock(height: number): void {
    if (height % PRUNE_EVERY_BLOCKS !== 0) return;
    const receiptFloor = this.#receipts.due;
    if (receiptFloor !== undefined) this.#inBackground(this.pruneReceiptsBelow(receiptFloor));
    if (this.#retainBlocks > 0) this.#inBackground(this.pruneBelow(height - this.#retainBlocks + 1));
  }

  pruneBelow(floor: number): Promise<void> {
    this.#deps.raiseFirst(Math.min(floor, this.#deps.extent().last));
    return this.#serial.run(() => this.#pruneBlocks());
  }

  pruneReceiptsBelow(floor: number): Promise<void> {
    this.#receipts.raise(floor);
    return this.#serial.run(async () => {
      // A queued block would be written whole behind the prune.
      await this.#deps.flush();
      await this.#receipts.drop();
    });
  }

  /** The floor is on disk before anything goes: what is below it is never taken for whole. */
  async #pruneBlocks(): Promise<void> {
    const { db, index, logger, extent, isStopped } = this.#deps;
    if (isStopped()) return;
    const { first } = extent();
    await db.batch([floorRow(first)], { sync: true });
    const blocks = await pruneBlocks(first, { db, index }, isStopped);
    if (blocks > 0) logger.debug('Old blocks are pruned', { blocks, earliest: first });
  }

  #inBackground(prune: Promise<void>): void {
    prune.catch((error: unknown) => {
      this.#deps.logger.warn('Old blocks or receipts could not be pruned; it is tried again', { error });
    });
  }
}
