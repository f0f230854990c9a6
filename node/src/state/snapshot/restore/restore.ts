import { createHash, hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { CodedError, isCodedError } from '@chain/platform';
import { bytesToHex, equalBytes } from '../../../primitives/index.ts';
import { type DirectoryLock, lockDirectory } from '../../changelog/index.ts';
import { checkDescription, MAX_CHUNK_BYTES, type SnapshotDescription } from '../description.ts';
import { InflateStream } from '../stream/inflateStream.ts';
import type { ImportOutcome, ImportPipeline } from './importPipeline.ts';
import {
  beginImport,
  goOnWithImport,
  type OpenedImport,
  type RestoreDeps,
  type RestoreOptions,
} from './openImport.ts';
import { endJournal } from './restoreJournal.ts';
import { removeDirectories, restoredDirectories } from './restoreTarget.ts';

/** The snapshot itself is at fault: another try would end in the same way. */
const REFUSALS = [
  'SNAPSHOT_APP_HASH',
  'SNAPSHOT_STREAM',
  'SNAPSHOT_DESCRIPTION',
  'STATE_COMMIT_IMPORT',
  'STORE_IMPORT_KEY',
  'FLATKV_ROW_KEY',
  'FLATKV_ROW_FORMAT',
];

/** Whether a restore failed because of the snapshot, not of a disk, a file or a process. */
export function isSnapshotAtFault(failure: unknown): failure is CodedError {
  return isCodedError(failure) && REFUSALS.includes(failure.code);
}

/**
 * A restore into a home that nobody has open. Chunks are applied in order as they come; nothing counts before
 * `finish` has resolved. After a failure, but for SNAPSHOT_CHUNK_HASH, only `abort` and `suspend` are left. One that
 * was interrupted goes on when the same snapshot is offered again: chunks come from the first on, and what both
 * sides hold durably of them is passed over.
 */
export class Restore {
  readonly description: SnapshotDescription;
  /** Rows that an interrupted restore before this one has left. */
  readonly resumedRows: number;
  readonly #options: RestoreOptions;
  readonly #deps: RestoreDeps;
  readonly #lock: DirectoryLock;
  readonly #pipeline: ImportPipeline;
  readonly #inflate: InflateStream;
  readonly #whole = createHash('sha256');
  #next = 0;
  #closing: Promise<void> | undefined;

  private constructor(
    description: SnapshotDescription,
    options: RestoreOptions,
    deps: RestoreDeps,
    { lock, pipeline, resumedRows }: OpenedImport & { readonly lock: DirectoryLock },
  ) {
    this.description = description;
    this.resumedRows = resumedRows;
    this.#options = options;
    this.#deps = deps;
    this.#lock = lock;
    this.#pipeline = pipeline;
    this.#inflate = new InflateStream((piece) => this.#pipeline.write(piece));
  }

  /**
   * Accepts an offer. What an interrupted restore of the same snapshot left in the home is gone on with, that of
   * another one removed. Throws SNAPSHOT_FORMAT and SNAPSHOT_DESCRIPTION (refuse this snapshot),
   * SNAPSHOT_TARGET_OCCUPIED and DIRECTORY_LOCKED (give up).
   */
  static async offer(
    description: SnapshotDescription,
    options: RestoreOptions,
    deps: RestoreDeps,
  ): Promise<Restore> {
    checkDescription(description);
    const { target } = options;
    mkdirSync(target.changelog, { recursive: true });
    const lock = lockDirectory(target.changelog);
    try {
      const opened =
        (await goOnWithImport(description, options, deps)) ?? (await beginImport(description, options));
      return new Restore(description, options, deps, { lock, ...opened });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The index of the chunk that must come next. */
  get nextChunk(): number {
    return this.#next;
  }

  /**
   * Takes the next chunk. Throws SNAPSHOT_CHUNK_HASH for bytes that are not the chunk's (nothing has happened, ask
   * somebody else for it), SNAPSHOT_STREAM, STATE_COMMIT_IMPORT, DB_… .
   */
  async applyChunk(index: number, bytes: Uint8Array): Promise<void> {
    const { chunks, chunkHashes, height } = this.description;
    if (index !== this.#next || index >= chunks) {
      throw new CodedError(
        'SNAPSHOT_CHUNK_ORDER',
        `chunk ${index} of snapshot ${height} cannot be applied: chunk ${this.#next} of ${chunks} is next`,
        { fields: { index, next: this.#next, chunks } },
      );
    }
    if (bytes.length > MAX_CHUNK_BYTES || !equalBytes(hash('sha256', bytes, 'buffer'), chunkHashes[index]!)) {
      throw new CodedError(
        'SNAPSHOT_CHUNK_HASH',
        `chunk ${index} of snapshot ${height} (${bytes.length} bytes) is not the one that the snapshot names; take it from another source`,
        { fields: { index, bytes: bytes.length } },
      );
    }
    this.#next++;
    this.#whole.update(bytes);
    await this.#inflate.write(bytes);
  }

  /**
   * Waits for SC and both SS stores, compares the app hash, and makes it all count, markers last. Throws
   * SNAPSHOT_APP_HASH, SNAPSHOT_STREAM, SNAPSHOT_CHUNK_ORDER when chunks are missing.
   */
  async finish(): Promise<ImportOutcome> {
    const { height, chunks, hash: expected } = this.description;
    const { appHash, target } = this.#options;
    if (this.#next < chunks) {
      throw new CodedError(
        'SNAPSHOT_CHUNK_ORDER',
        `snapshot ${height} is not whole: chunk ${this.#next} has not come`,
      );
    }
    await this.#inflate.finish();
    if (!equalBytes(this.#whole.digest(), expected)) {
      throw new CodedError(
        'SNAPSHOT_DESCRIPTION',
        `the chunks of snapshot ${height} do not have the hash that describes it; take another one`,
        { fields: { height } },
      );
    }
    const outcome = await this.#pipeline.finish();
    if (!equalBytes(outcome.appHash, appHash)) throw wrongAppHash(height, outcome.appHash, appHash);
    await this.#deps.beginHistory(height);
    await this.#pipeline.complete();
    await this.#close();
    await endJournal(target.home);
    this.#lock.release();
    return outcome;
  }

  /** Removes everything that was written. Idempotent, and nothing after `finish` or `suspend`. */
  async abort(): Promise<void> {
    if (this.#closing) return;
    await this.#close();
    removeDirectories(restoredDirectories(this.#options.target));
    await endJournal(this.#options.target.home);
    this.#lock.release();
  }

  /** Ends it here; offered the same snapshot, the next one goes on. Idempotent, and nothing after `finish` or `abort`. */
  async suspend(): Promise<void> {
    if (this.#closing) return;
    await this.#close();
    this.#lock.release();
  }

  /** Ends it after a failure: `abort` when the snapshot is at fault, `suspend` when a disk, a file or a process was. */
  endAfter(failure: unknown): Promise<void> {
    return isSnapshotAtFault(failure) ? this.abort() : this.suspend();
  }

  #close(): Promise<void> {
    this.#inflate.destroy();
    this.#closing ??= this.#pipeline.close();
    return this.#closing;
  }
}

function wrongAppHash(height: number, found: Uint8Array, expected: Uint8Array): CodedError {
  return new CodedError(
    'SNAPSHOT_APP_HASH',
    `snapshot ${height} leads to app hash 0x${bytesToHex(found)}, not to 0x${bytesToHex(expected)}; it is refused and nothing of it is kept: take another one`,
    { fields: { height, found: bytesToHex(found), expected: bytesToHex(expected) } },
  );
}
