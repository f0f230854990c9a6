import { CodedError } from '@chain/platform';
import type { CommitImportOptions } from '../../commit/index.ts';
import type { StoreImportOptions } from '../../store/index.ts';
import { ImportThread } from './importThread.ts';

const SLAB_BYTES = 1 << 20;
/** The quicker thread may be so many pieces ahead of the slower one. */
const SLABS = 8;

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
  #failure: CodedError | undefined;
  #wake: () => void = () => undefined;

  constructor(options: { readonly commit: CommitImportOptions; readonly store: StoreImportOptions }) {
    const events = {
      onFree: (slab: number) => this.#release(slab),
      onFailed: (error: CodedError) => {
        this.#failure ??= error;
        this.#wake();
      },
    };
    const slabs = this.#slabs;
    this.#commit = new ImportThread(
      new URL('./commitThread.ts', import.meta.url),
      { options: options.commit, slabs },
      events,
    );
    this.#store = new ImportThread(
      new URL('./storeThread.ts', import.meta.url),
      { options: options.store, slabs },
      events,
    );
  }

  /** Resolves when the piece is handed over. Throws what a thread failed with. */
  async write(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; at += SLAB_BYTES) {
      const part = piece.subarray(at, at + SLAB_BYTES);
      const slab = await this.#acquire();
      new Uint8Array(this.#slabs[slab]!).set(part);
      this.#readers[slab] = 2;
      for (const thread of [this.#commit, this.#store]) thread.piece(slab, part.length);
    }
  }

  /** Resolves when all of both is written and synced; nothing of it counts yet. */
  async finish(): Promise<ImportOutcome> {
    this.#check();
    const replies = await Promise.all([this.#commit, this.#store].map((thread) => thread.call('finish')));
    return { appHash: replies[0]!.appHash!, rows: replies[1]!.rows! };
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
