import type { Block, BlockRecord, Receipt } from '../types/index.ts';
import type { EventPlaces } from './events/eventIndex.ts';
import type { EventItem } from './events/eventRows.ts';
import type { LogMatch, LogQuery } from './logs/logQuery.ts';

/** An EVM transaction, or a synthetic one, and the block that holds it. */
export interface FoundTransaction {
  readonly record: BlockRecord;
  readonly receipt: Receipt;
  /** The raw ledger transaction (`TxRaw`) that carries it. */
  readonly raw: Uint8Array;
}

/** A ledger transaction: `record.block.txs[index]`, `record.results[index]`. */
export interface FoundLedgerTransaction {
  readonly record: BlockRecord;
  readonly index: number;
}

/** All blocks that the node holds. Reads are synchronous; a transaction included twice is found where it was last. */
export interface History {
  /** 0 when there is no block. */
  readonly latestHeight: number;
  /** The oldest block held; 0 when there is none. */
  readonly earliestHeight: number;
  /** The oldest block held with its receipts, logs and results, and found by its transactions; 0 when there is none. */
  readonly earliestReceiptHeight: number;
  /** Blocks up to here outlive a power loss without the changelog. */
  readonly durableHeight: number;
  /**
   * Readable at once; resolves when there is room for more. `encoded` is the record's bytes if they are at hand.
   * Throws HISTORY_GAP unless the height follows the latest one, HISTORY_WRITE_FAILED.
   */
  append(record: BlockRecord, encoded?: Uint8Array): Promise<void>;
  /**
   * Puts the whole block in the place of one of the same hash whose header was kept with gaps; durable when it
   * resolves, with the new record. Throws HISTORY_OTHER_BLOCK when there is none.
   */
  completeBlock(block: Block): Promise<BlockRecord>;
  blockByHeight(height: number): BlockRecord | undefined;
  blockByHash(hash: Uint8Array): BlockRecord | undefined;
  transactionByHash(evmHash: Uint8Array): FoundTransaction | undefined;
  /** `hash` is the SHA-256 of the raw ledger transaction. */
  ledgerTransactionByHash(hash: Uint8Array): FoundLedgerTransaction | undefined;
  /**
   * Ordered by block and log index; the event loop gets its turns. Throws HISTORY_PRUNED_MEANWHILE when blocks of
   * the range go while it searches.
   */
  logs(query: LogQuery): Promise<LogMatch[]>;
  /**
   * The transactions of these heights (both included) with an event attribute that is marked for the index.
   * Throws HISTORY_EVENTS_OFF without the index, HISTORY_EVENTS_TOO_MANY above `max` transactions.
   */
  events(item: EventItem, range: { first: number; last: number; max: number }): Promise<EventPlaces>;
  /** For an empty history: the next block will be `height`, and none below it comes (a restored snapshot). */
  startAt(height: number): Promise<void>;
  /**
   * Forgets every block below `floor`, with its receipts and logs: from the call on it is not found, on disk it is
   * deleted when this resolves, or after the next start. The newest block stays.
   */
  pruneBelow(floor: number): Promise<void>;
  /**
   * Forgets the receipts, logs and results of every block below `floor`, and its transactions' hashes and events; the
   * block stays. As with `pruneBelow` it takes effect at once.
   */
  pruneReceiptsBelow(floor: number): Promise<void>;
  /**
   * Takes back every block above `height`, newest first; nothing may be appended meanwhile. A crash leaves the
   * older ones of them. Throws HISTORY_TRUNCATE_RANGE.
   */
  rewind(height: number): Promise<void>;
  /** Resolves when every appended block is durable. */
  flush(): Promise<void>;
  /** Flushes and closes. Idempotent. */
  close(): Promise<void>;
}
