import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@chain/platform';
import type { KeyValueDb } from '../db/index.ts';
import { eventRows } from './events/eventRows.ts';
import type { LogIndex } from './index/logIndex.ts';
import { decodeBlockRecord } from './record/decodeRecord.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import {
  blockRows,
  decodePlace,
  type Extent,
  hashKey,
  indexBlock,
  readReceiptMarks,
  receiptFloorRow,
  receiptsDroppedRow,
  recordKey,
} from './rows.ts';

export interface ReceiptOptions {
  /** Newest blocks whose receipts, logs and results are kept; 0 keeps those of every block. */
  readonly keepRecent: number;
  /** Time that at least passes between two prunes; 0 = never. */
  readonly pruneSeconds: number;
}

interface Deps {
  readonly db: KeyValueDb;
  readonly index: LogIndex;
  readonly logger: Logger;
  readonly extent: () => Extent;
  readonly isStopped: () => boolean;
}

/**
 * Drops receipts, logs, results and what finds them, of blocks that stay. The floor is on disk before anything goes;
 * a pass that was cut short goes on where it was.
 */
export class ReceiptRetention {
  readonly #options: ReceiptOptions;
  readonly #deps: Deps;
  #floor: number;
  #dropped: number;
  #nextAt = 0;

  constructor(options: ReceiptOptions, deps: Deps) {
    this.#options = options;
    this.#deps = deps;
    const { floor, dropped } = readReceiptMarks(deps.db);
    this.#floor = floor;
    this.#dropped = dropped;
  }

  /** The first height with receipts. */
  get floor(): number {
    return Math.max(this.#floor, this.#deps.extent().first);
  }

  /** The floor to be, when it is time for another prune. */
  get due(): number | undefined {
    const { keepRecent, pruneSeconds } = this.#options;
    if (keepRecent === 0 || pruneSeconds === 0 || performance.now() < this.#nextAt) return undefined;
    this.#nextAt = performance.now() + pruneSeconds * 1000;
    return this.#deps.extent().last - keepRecent + 1;
  }

  /** From the call on nothing below is found. The newest block keeps its receipts. */
  raise(floor: number): void {
    this.#floor = Math.max(this.#floor, Math.min(floor, this.#deps.extent().last));
  }

  /** Drops what lies below the floor. Nothing else may write blocks that are that old. */
  async drop(): Promise<void> {
    const { db, index, logger, extent, isStopped } = this.#deps;
    const floor = this.#floor;
    const first = Math.max(this.#dropped, extent().first);
    if (floor <= first || isStopped()) return;
    await db.batch([receiptFloorRow(floor)], { sync: true });
    await index.pruneBefore(floor, first);
    let blocks = 0;
    for await (const [, encoded] of db.iterate({ start: recordKey(first), end: recordKey(floor) })) {
      if (isStopped()) return;
      await this.#dropOf(encoded);
      blocks++;
      await nextTurn();
    }
    if (blocks > 0) logger.debug('Old receipts are pruned', { blocks, earliest: floor });
  }

  async #dropOf(encoded: Uint8Array): Promise<void> {
    const { db } = this.#deps;
    const record = decodeBlockRecord(encoded);
    const { height } = record.block.header;
    const block = indexBlock(record, encoded);
    const kept = [recordKey(height), hashKey(record.block.id.hash)];
    const isKept = (key: Uint8Array): boolean => kept.some((other) => Buffer.compare(other, key) === 0);
    // A later block with the same transaction has taken its row over.
    const isOwn = (key: Uint8Array): boolean => {
      const place = db.get(key);
      return place !== undefined && decodePlace(place).height === height;
    };
    const found = blockRows(block).filter(({ key }) => !isKept(key) && isOwn(key));
    const gone = [...found, ...eventRows(record)].map(({ key }) => ({ type: 'del' as const, key }));
    const value = encodeBlockRecord({ ...record, receipts: [], results: [] });
    const stays = { type: 'put' as const, key: recordKey(height), value };
    await db.batch([...gone, stays, receiptsDroppedRow(height + 1)]);
    this.#dropped = height + 1;
  }
}
