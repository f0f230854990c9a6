import { type Logger, Turns } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { KeyValueDb } from '../db/index.ts';
import { equalBytes } from '../primitives/index.ts';
import type { Block, BlockRecord } from '../types/index.ts';
import { BlockWriter } from './blockWriter.ts';
import { completeEvents, type EventPlaces, findEvent, forgetEvents } from './events/eventIndex.ts';
import type { EventItem } from './events/eventRows.ts';
import type { FoundLedgerTransaction, FoundTransaction, History } from './history.ts';
import { historyErrors } from './historyErrors.ts';
import { completeIndex } from './index/completeIndex.ts';
import { LogIndex } from './index/logIndex.ts';
import type { LogMatch, LogQuery } from './logs/logQuery.ts';
import { searchLogs } from './logs/searchLogs.ts';
import { PlaceCache } from './placeCache.ts';
import type { ReceiptOptions } from './receiptRetention.ts';
import { RecentBlocks } from './recentBlocks.ts';
import { decodeBlockRecord } from './record/decodeRecord.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { RecordCache } from './recordCache.ts';
import { Retention } from './retention.ts';
import {
  decodePlace,
  type Extent,
  evmKey,
  hashKey,
  indexBlock,
  ledgerKey,
  type Place,
  recordKey,
} from './rows.ts';
import { truncateBlocks } from './truncateBlocks.ts';

/** History over an ordered key-value database. */
export class LevelHistory implements History {
  readonly #db: KeyValueDb;
  readonly #recent = new RecentBlocks();
  readonly #cache: RecordCache;
  readonly #places = new PlaceCache();
  readonly #turns = new Turns();
  readonly #writer: BlockWriter;
  readonly #index: LogIndex;
  readonly #retention: Retention;
  readonly #logger: Logger;
  readonly #observeQueue: (blocks: number) => void;
  readonly #indexEvents: boolean;
  #extent: Extent;
  #closing: Promise<void> | undefined;

  constructor(
    options: {
      readonly extent: Extent;
      readonly cacheBytes: number;
      readonly retainBlocks: number;
      readonly indexEvents: boolean;
      readonly receipts: ReceiptOptions;
    },
    deps: { readonly db: KeyValueDb; readonly logger: Logger; readonly metrics?: MetricsRegistry },
  ) {
    this.#db = deps.db;
    this.#logger = deps.logger;
    this.#extent = options.extent;
    this.#indexEvents = options.indexEvents;
    this.#index = new LogIndex({ nextHeight: options.extent.last + 1 }, deps);
    this.#retention = new Retention(options, {
      ...deps,
      index: this.#index,
      extent: () => this.#extent,
      raiseFirst: (first) => {
        if (first > this.#extent.first) this.#extent = { first, last: this.#extent.last };
      },
      flush: () => this.flush(),
      isStopped: () => this.#closing !== undefined,
    });
    this.#cache = new RecordCache(options.cacheBytes);
    this.#writer = new BlockWriter(
      { written: options.extent, indexEvents: options.indexEvents },
      {
        db: deps.db,
        onWritten: (blocks) => {
          for (const block of blocks) {
            this.#places.forget(block);
            this.#recent.remove(block);
          }
        },
      },
    );
    const gauge = deps.metrics?.gauge({
      name: 'chain_history_queued_blocks',
      help: 'Blocks that are readable and not yet written to data/history.',
    });
    this.#observeQueue = (blocks) => gauge?.set(blocks);
  }

  get latestHeight(): number {
    return this.#isEmpty ? 0 : this.#extent.last;
  }

  get earliestHeight(): number {
    return this.#isEmpty ? 0 : this.#extent.first;
  }

  get earliestReceiptHeight(): number {
    return this.#isEmpty ? 0 : this.#retention.receiptExtent.first;
  }

  get durableHeight(): number {
    return this.#writer.durableHeight;
  }

  get #isEmpty(): boolean {
    return this.#extent.last < this.#extent.first;
  }

  append(record: BlockRecord, encoded: Uint8Array = encodeBlockRecord(record)): Promise<void> {
    const { height } = record.block.header;
    if (height !== this.#extent.last + 1) {
      const expected = this.#extent.last + 1;
      return Promise.reject(historyErrors.gap(height, expected));
    }
    const block = indexBlock(record, encoded);
    this.#recent.add(block);
    this.#index.add(height, encoded);
    this.#cache.put(height, record, encoded.length);
    this.#extent = { first: this.#extent.first, last: height };
    const done = this.#writer.append(block);
    this.#observeQueue(this.#writer.queuedBlocks);
    this.#retention.onBlock(height);
    return done.then(() => this.#index.room());
  }

  async completeBlock(block: Block): Promise<BlockRecord> {
    // What is written once is not taken from the changelog again, which has the block with its gaps.
    await this.flush();
    const { height } = block.header;
    const known = this.blockByHeight(height);
    if (!known || !equalBytes(known.block.id.hash, block.id.hash)) throw historyErrors.otherBlock(height);
    const record = { ...known, block };
    const encoded = encodeBlockRecord(record);
    await this.#db.batch([{ type: 'put', key: recordKey(height), value: encoded }], { sync: true });
    this.#cache.put(height, record, encoded.length);
    return record;
  }

  blockByHeight(height: number): BlockRecord | undefined {
    if (height < this.#extent.first || height > this.#extent.last) return undefined;
    const held = this.#recent.byHeight(height)?.record ?? this.#cache.get(height);
    if (held) return held;
    const encoded = this.#db.get(recordKey(height));
    if (!encoded) return undefined;
    const record = decodeBlockRecord(encoded);
    this.#cache.put(height, record, encoded.length);
    return record;
  }

  blockByHash(hash: Uint8Array): BlockRecord | undefined {
    const height = this.#recent.heightOf(hash) ?? this.#placeAt(hashKey(hash))?.height;
    return height === undefined ? undefined : this.blockByHeight(height);
  }

  transactionByHash(evmHash: Uint8Array): FoundTransaction | undefined {
    const place = this.#recent.evmPlace(evmHash) ?? this.#evmPlaceAt(evmHash);
    const record = this.#withReceipts(place);
    const receipt = record?.receipts[place!.index];
    const raw = receipt && record?.block.txs[receipt.ledgerIndex];
    return record && receipt && raw && { record, receipt, raw };
  }

  ledgerTransactionByHash(hash: Uint8Array): FoundLedgerTransaction | undefined {
    const place = this.#recent.ledgerPlace(hash) ?? this.#placeAt(ledgerKey(hash));
    const record = this.#withReceipts(place);
    return record && { record, index: place!.index };
  }

  logs(query: LogQuery): Promise<LogMatch[]> {
    return searchLogs(query, {
      db: this.#db,
      index: this.#index,
      recent: this.#recent,
      turns: this.#turns,
      extent: () => this.#retention.receiptExtent,
    });
  }

  async events(
    item: EventItem,
    { first, last, max }: { first: number; last: number; max: number },
  ): Promise<EventPlaces> {
    if (!this.#indexEvents) throw historyErrors.eventsOff();
    const range = {
      first: Math.max(first, this.#retention.receiptExtent.first),
      last: Math.min(last, this.#extent.last),
      max,
    };
    const places = await findEvent(item, range, { db: this.#db, recent: this.#recent.records() });
    if (!places) throw historyErrors.eventsTooMany(item.tag, max);
    return places;
  }

  pruneBelow(floor: number): Promise<void> {
    return this.#retention.pruneBelow(floor);
  }

  pruneReceiptsBelow(floor: number): Promise<void> {
    return this.#retention.pruneReceiptsBelow(floor);
  }

  async rewind(height: number): Promise<void> {
    const { first, last } = this.#extent;
    if (height >= last) return;
    // The next header needs the results of the block before it.
    if (height < this.#retention.receiptExtent.first)
      throw historyErrors.truncateRange(height, this.#retention.receiptExtent);
    await this.flush();
    await this.#retention.settled;
    this.#extent = { first, last: height };
    this.#cache.dropAbove(height);
    this.#places.clear();
    await this.#index.rewind(height, last);
    await truncateBlocks(height, { first, last }, this.#db);
    this.#writer.restart(this.#extent);
    // The newest section has lost what it had at and below the height too.
    await this.#completeLogs();
  }

  /** Makes what is missing of the indexes; call once, before the first append. */
  async completeIndexes(): Promise<void> {
    await this.#completeLogs();
    if (!this.#indexEvents) await forgetEvents(this.#db);
    else await completeEvents(this.#retention.receiptExtent, { db: this.#db, logger: this.#logger });
  }

  #completeLogs(): Promise<void> {
    return completeIndex(this.#index, this.#retention.receiptExtent, { db: this.#db, logger: this.#logger });
  }

  async startAt(height: number): Promise<void> {
    if (!this.#isEmpty) throw historyErrors.notEmpty(this.#extent);
    this.#extent = { first: height, last: height - 1 };
    this.#index.restartAt(height);
    await this.#writer.startAt(height);
  }

  async flush(): Promise<void> {
    await this.#writer.flush();
    await this.#index.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#retention.settled;
      await this.flush();
    } finally {
      await this.#db.close();
    }
  }

  /** The block of a transaction, unless what came of it is pruned. */
  #withReceipts(place: Place | undefined): BlockRecord | undefined {
    return place && place.height >= this.#retention.receiptExtent.first
      ? this.blockByHeight(place.height)
      : undefined;
  }

  #evmPlaceAt(hash: Uint8Array): Place | undefined {
    return this.#places.get(hash) ?? this.#places.keep(hash, this.#placeAt(evmKey(hash)));
  }

  #placeAt(key: Uint8Array) {
    const value = this.#db.get(key);
    return value && decodePlace(value);
  }
}
