import { CodedError } from '@chain/platform';
import type { CommitImportOptions } from '../../commit/index.ts';
import type { StoreImportOptions } from '../../store/index.ts';
import { ImportThread } from './importThread.ts';
import type { ImportPosition, ImportReply } from './threadMessages.ts';

const SLAB_BYTES = 1 << 20;
/** The quicker thread may be so many pieces ahead of the slower one. */
const SLABS = 8;

export interface ImportPipelineOptions {
  readonly commit: CommitImportOptions;
  readonly store: StoreImportOptions;
  /** Goes on there: pieces before it are passed over. */
  readonly from?: ImportPosition;
  /** Uncompressed bytes between two positions that are noted. */
  readonly checkpointBytes: number;
  /** Makes a position outlive a crash. Called for one after another. */
  readonly note: (position: ImportPosition) => Promise<void>;
}

/** What a finished import came to. */
export interface ImportOutcome {
  readonly appHash: Uint8Array;
  readonly rows: number;
}

/**
 * Feeds the item stream to two threads at once: one builds the commitment, the other fills SS. Pieces lie in a
 * fixed number of shared slabs, so that memory is the same for any length.
 */
export class ImportPipeline {
  readonly #slabs = Array.from({ length: SLABS }, () => new SharedArrayBuffer(SLAB_BYTES));
  readonly #free = Array.from({ length: SLABS }, (_, i) => i);
  /** Threads that still read a slab. */
  readonly #readers = new Array<number>(SLABS).fill(0);
  readonly #commit: ImportThread;
  readonly #store: ImportThread;
  readonly #options: ImportPipelineOptions;
  /** Uncompressed bytes of the stream that have come. */
  #offset = 0;
  #nextCheckpoint: number;
  #noting: Promise<void> | undefined;
  #failure: CodedError | undefined;
  #wake: () => void = () => undefined;

  constructor(options: ImportPipelineOptions) {
    const { commit, store, from } = options;
    this.#options = options;
    this.#nextCheckpoint = this.#start + options.checkpointBytes;
    const events = {
      onFree: (slab: number) => this.#release(slab),
      onFailed: (error: CodedError) => {
        this.#failure ??= error;
        this.#wake();
      },
    };
    const open = (entry: URL, data: object): ImportThread =>
      new ImportThread(entry, { ...data, from: from?.stream, slabs: this.#slabs }, events);
    this.#commit = open(new URL('./commitThread.ts', import.meta.url), {
      options: { ...commit, ...(from && { from: from.commit }) },
    });
    this.#store = open(new URL('./storeThread.ts', import.meta.url), {
      options: store,
      rows: from?.rows ?? 0,
    });
  }

  /** Resolves when both sides are where they have to begin. Throws STATE_COMMIT_IMPORT_POSITION, DB_… . */
  async ready(): Promise<void> {
    await this.#both('ready');
  }

  /** Resolves when the piece is handed over. Throws what a thread failed with. */
  async write(piece: Uint8Array): Promise<void> {
    const known = Math.max(0, this.#start - this.#offset);
    this.#offset += piece.length;
    for (let at = known; at < piece.length; at += SLAB_BYTES) {
      const part = piece.subarray(at, at + SLAB_BYTES);
      const slab = await this.#acquire();
      new Uint8Array(this.#slabs[slab]!).set(part);
      this.#readers[slab] = 2;
      for (const thread of [this.#commit, this.#store]) thread.piece(slab, part.length);
    }
    if (this.#offset >= this.#nextCheckpoint && this.#noting === undefined) this.#checkpoint();
  }

  /** Resolves when all of both is written and synced; nothing of it counts yet. */
  async finish(): Promise<ImportOutcome> {
    await this.#noting;
    this.#check();
    const replies = await this.#both('finish');
    const position = joined(replies);
    await this.#options.note(position);
    return { appHash: replies[0].appHash!, rows: position.rows };
  }

  /** SS first: a commitment without history is found out at the next start, the other way round as well. */
  async complete(): Promise<void> {
    await this.#store.call('complete');
    await this.#commit.call('complete');
  }

  async close(): Promise<void> {
    this.#failure ??= new CodedError('SNAPSHOT_STOPPED', 'the import of a snapshot was stopped');
    this.#wake();
    await Promise.all([this.#commit.close(), this.#store.close()]);
    await this.#noting;
  }

  get #start(): number {
    return this.#options.from?.stream.offset ?? 0;
  }

  /** Pieces go on meanwhile: each side makes durable what came before the request. */
  #checkpoint(): void {
    this.#nextCheckpoint = this.#offset + this.#options.checkpointBytes;
    this.#noting = this.#both('checkpoint')
      .then((replies) => this.#options.note(joined(replies)))
      .catch((error: CodedError) => {
        this.#failure ??= error;
        this.#wake();
      })
      .finally(() => {
        this.#noting = undefined;
      });
  }

  #both(kind: 'ready' | 'checkpoint' | 'finish'): Promise<[ImportReply, ImportReply]> {
    return Promise.all([this.#commit.call(kind), this.#store.call(kind)]);
  }

  async #acquire(): Promise<number> {
    for (;;) {
      this.#check();
      const slab = this.#free.pop();
      if (slab !== undefined) return slab;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #release(slab: number): void {
    this.#readers[slab]!--;
    if (this.#readers[slab] !== 0) return;
    this.#free.push(slab);
    this.#wake();
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
  }
}

function joined([commit, store]: readonly [ImportReply, ImportReply]): ImportPosition {
  return { ...store.position, ...commit.position } as ImportPosition;
}
