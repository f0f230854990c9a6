import { CodedError, messageOf } from '@chain/platform';
import type { BatchOperation, KeyValueDb } from '../db/index.ts';
import { eventRows } from './events/eventRows.ts';
import { blockRows, type Extent, extentRow, type IndexedBlock } from './rows.ts';

// Nothing is lost without a sync, the changelog has it all; syncs only let the changelog be cut.
const BLOCKS_PER_SYNC = 64;
const MILLISECONDS_PER_SYNC = 10_000;
const BLOCKS_PER_BATCH = 64;
const QUEUE_LIMIT_BYTES = 64 << 20;
/** How long a block may wait for others when blocks come fast. */
const GATHER_MS = 50;

/** Writes blocks to the database behind the caller's back, in order. */
export class BlockWriter {
  readonly #db: KeyValueDb;
  readonly #indexEvents: boolean;
  readonly #onWritten: (blocks: readonly IndexedBlock[]) => void;
  #written: Extent;
  #durableHeight: number;
  #queue: IndexedBlock[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #room: { promise: Promise<void>; resolve: () => void } | undefined;
  #failure: CodedError | undefined;
  #lastSync = performance.now();
  /** Ends the wait for more blocks. */
  #hurry: () => void = () => undefined;
  #flushing = 0;

  constructor(
    options: { readonly written: Extent; readonly indexEvents: boolean },
    deps: { readonly db: KeyValueDb; readonly onWritten: (blocks: readonly IndexedBlock[]) => void },
  ) {
    this.#db = deps.db;
    this.#onWritten = deps.onWritten;
    this.#indexEvents = options.indexEvents;
    this.#written = options.written;
    this.#durableHeight = options.written.last;
  }

  /** Everything up to here outlives a power loss. */
  get durableHeight(): number {
    return this.#durableHeight;
  }

  get queuedBlocks(): number {
    return this.#queue.length;
  }

  /** Resolves when there is room for more. Throws HISTORY_WRITE_FAILED for this or any earlier block. */
  async append(block: IndexedBlock): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#queue.push(block);
    this.#queuedBytes += block.encoded.length;
    this.#running ??= this.#run();
    if (this.#queuedBytes <= QUEUE_LIMIT_BYTES) return;
    this.#room ??= Promise.withResolvers<void>();
    this.#hurry();
    await this.#room.promise;
    if (this.#failure) throw this.#failure;
  }

  /** Resolves when every appended block is durable. */
  async flush(): Promise<void> {
    this.#flushing++;
    this.#hurry();
    while (this.#running) await this.#running;
    this.#flushing--;
    if (this.#failure) throw this.#failure;
    if (this.#durableHeight < this.#written.last) await this.#write([], true);
    if (this.#failure) throw this.#failure;
  }

  /** The next block is `height`; durable when it resolves. Call only while nothing is queued. */
  async startAt(height: number): Promise<void> {
    this.#written = { first: height, last: height - 1 };
    await this.#write([], true);
    if (this.#failure) throw this.#failure;
  }

  /** Goes on behind what the database holds now. Call only while nothing is queued. */
  restart(written: Extent): void {
    this.#written = written;
    this.#durableHeight = written.last;
  }

  #rowsOf(block: IndexedBlock): BatchOperation[] {
    return this.#indexEvents ? [...blockRows(block), ...eventRows(block.record)] : blockRows(block);
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 && !this.#failure) {
      await this.#gather();
      const blocks = this.#queue.splice(0, BLOCKS_PER_BATCH);
      await this.#write(blocks, this.#syncIsDue(blocks.at(-1)!.height));
      for (const { encoded } of blocks) this.#queuedBytes -= encoded.length;
      if (this.#queuedBytes <= QUEUE_LIMIT_BYTES || this.#failure) {
        this.#room?.resolve();
        this.#room = undefined;
      }
    }
    this.#running = undefined;
  }

  /** A moment for more blocks to come, which then share a batch; a turn at least. */
  async #gather(): Promise<void> {
    if (this.#flushing > 0 || this.#queue.length >= BLOCKS_PER_BATCH || this.#room) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hurry = resolve;
    const timer = setTimeout(resolve, GATHER_MS);
    await promise;
    clearTimeout(timer);
    this.#hurry = () => undefined;
  }

  #syncIsDue(height: number): boolean {
    return (
      height - this.#durableHeight >= BLOCKS_PER_SYNC ||
      performance.now() - this.#lastSync >= MILLISECONDS_PER_SYNC
    );
  }

  async #write(blocks: readonly IndexedBlock[], sync: boolean): Promise<void> {
    const written = { first: this.#written.first, last: blocks.at(-1)?.height ?? this.#written.last };
    try {
      // The extent never names a block that a power loss could still take: the rows of a lost page may lie before
      // others that were kept. What is behind the extent comes from the changelog again.
      const extent = sync ? [extentRow(written)] : [];
      await this.#db.batch([...blocks.flatMap((block) => this.#rowsOf(block)), ...extent], { sync });
    } catch (cause) {
      this.#failure = new CodedError(
        'HISTORY_WRITE_FAILED',
        `block ${written.last} cannot be written to the history, the changelog holds what is missing: ${messageOf(cause)}`,
        { fields: { height: written.last }, cause },
      );
      return;
    }
    this.#written = written;
    if (sync) {
      this.#durableHeight = written.last;
      this.#lastSync = performance.now();
    }
    this.#onWritten(blocks);
  }
}
