import { closeSync, mkdirSync, openSync, rmSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { CodedError, type Logger, messageOf, syncDirectory, writeRemedy } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';
import { type ChangelogEntry, encodeEntry } from './entryCodec.ts';
import { gapBehind, indexSegment, listSegments, readEntry, type Segment } from './segment.ts';
import { SegmentWriter } from './segmentWriter.ts';
import { syncDirectorySync } from './syncDirectorySync.ts';

export interface ChangelogOptions {
  readonly directory: string;
  /** A new segment begins when the newest is at least this long. */
  readonly segmentBytes?: number;
}

export interface ChangelogDeps {
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/** Versions are block heights. `firstVersion` and `lastVersion` are 0 when the log is empty. */
export interface Changelog {
  readonly directory: string;
  readonly firstVersion: number;
  /** The newest durable version. */
  readonly lastVersion: number;
  /**
   * Resolves when the entry is durable; concurrent appends share one sync. A failure is sticky: every later
   * append reports it. Throws CHANGELOG_GAP when the version does not follow the last one appended.
   */
  append(entry: ChangelogEntry): Promise<void>;
  /** Durable entries `from` … `to` in order, one in memory at a time. Throws CHANGELOG_PRUNED below the log. */
  read(from: number, to?: number): Iterable<ChangelogEntry>;
  /** Deletes whole segments that hold only versions below `version`. */
  truncateBefore(version: number): Promise<void>;
  /** Deletes every version above `version`; newest first, so that a crash leaves no gap. */
  rewind(version: number): Promise<void>;
  /** Deletes everything; the next append may have any version (a restore from a snapshot). */
  reset(): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly version: number;
  readonly payload: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const DEFAULT_SEGMENT_BYTES = 32 << 20;
const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5];

/**
 * Opens or creates the log, locks its directory and cuts a torn tail. Throws DIRECTORY_LOCKED,
 * CHANGELOG_CORRUPT, CHANGELOG_GAP, CHANGELOG_FOREIGN.
 */
export async function openChangelog(options: ChangelogOptions, deps: ChangelogDeps): Promise<Changelog> {
  const { directory } = options;
  mkdirSync(directory, { recursive: true });
  const lock = lockDirectory(directory);
  try {
    return new SegmentedChangelog(options, deps, lock, recoverSegments(directory, deps.logger));
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Lists the segments, cuts the torn tail of the newest and drops newest segments left without an entry. */
function recoverSegments(directory: string, logger: Logger): Segment[] {
  const segments = listSegments(directory);
  for (let last = segments.at(-1); last; last = segments.at(-1)) {
    const end = indexSegment(last, true);
    if (end < last.size) {
      logger.warn('Changelog tail was torn by a crash and is cut', {
        path: last.path,
        from: last.size,
        to: end,
      });
    }
    if (last.offsets && last.offsets.length > 0) {
      // Also when nothing is torn: a killed process leaves entries that only the page cache has, and the stores
      // are about to build on them.
      cutFile(last, end);
      syncDirectorySync(directory);
      return segments;
    }
    rmSync(last.path);
    segments.pop();
    syncDirectorySync(directory);
  }
  return segments;
}

function cutFile(segment: Segment, size: number): void {
  truncateSync(segment.path, size);
  syncDirectorySync(segment.path);
  segment.size = size;
}

class SegmentedChangelog implements Changelog {
  readonly #directory: string;
  readonly #lock: DirectoryLock;
  readonly #segments: Segment[];
  readonly #writer: SegmentWriter;
  readonly #observe: (seconds: number) => void;
  #lastVersion: number;
  #queuedVersion: number;
  #waiting: Waiting[] = [];
  /** The end of the chain of operations on the files: batches and truncations run one after another. */
  #tail: Promise<void> = Promise.resolve();
  #failure: unknown;
  #closed = false;

  constructor(options: ChangelogOptions, deps: ChangelogDeps, lock: DirectoryLock, segments: Segment[]) {
    this.#directory = options.directory;
    this.#lock = lock;
    this.#segments = segments;
    this.#writer = new SegmentWriter(
      options.directory,
      options.segmentBytes ?? DEFAULT_SEGMENT_BYTES,
      segments,
    );
    this.#lastVersion = lastVersionOf(segments);
    this.#queuedVersion = this.#lastVersion;
    const histogram = deps.metrics?.histogram({
      name: 'chain_state_changelog_append_seconds',
      help: 'Time to write and sync one batch of changelog entries.',
      buckets: BUCKETS,
    });
    this.#observe = (seconds) => histogram?.observe(seconds);
  }

  get directory(): string {
    return this.#directory;
  }

  get firstVersion(): number {
    return this.#lastVersion === 0 ? 0 : this.#segments[0]!.firstVersion;
  }

  get lastVersion(): number {
    return this.#lastVersion;
  }

  append(entry: ChangelogEntry): Promise<void> {
    const { version } = entry.changes;
    const failure = this.#refusal(version);
    if (failure) return Promise.reject(failure);
    const payload = encodeEntry(entry);
    this.#queuedVersion = version;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ version, payload, resolve, reject });
      if (this.#waiting.length === 1) void this.#enqueue(() => this.#writeWaiting());
    });
  }

  *read(from: number, to = this.#lastVersion): Iterable<ChangelogEntry> {
    const end = Math.min(to, this.#lastVersion);
    if (from <= end && from < this.firstVersion) {
      throw new CodedError(
        'CHANGELOG_PRUNED',
        `version ${from} is below the changelog in ${this.#directory}, which begins at ${this.firstVersion}`,
        { fields: { version: from, firstVersion: this.firstVersion } },
      );
    }
    for (let version = from; version <= end; ) {
      const { segment, isLast, next } = this.#segmentOf(version);
      if (!segment.offsets) indexSegment(segment, isLast);
      const stop = Math.min(end, next - 1);
      if (stop - segment.firstVersion >= segment.offsets!.length) throw gapBehind(segment, next);
      yield* readRange(segment, version, stop);
      version = stop + 1;
    }
  }

  truncateBefore(version: number): Promise<void> {
    return this.#enqueue(async () => {
      const before = this.#segments.length;
      // Off the main thread, which has blocks to make: a sync may wait for all that the disk has still to write.
      while (this.#segments.length > 1 && this.#segments[1]!.firstVersion <= version) {
        await rm(this.#segments.shift()!.path);
      }
      if (this.#segments.length < before) await syncDirectory(this.#directory);
    });
  }

  rewind(version: number): Promise<void> {
    return this.#enqueue(async () => {
      await this.#writer.close();
      while (this.#segments.length > 0 && this.#segments.at(-1)!.firstVersion > version) {
        rmSync(this.#segments.pop()!.path);
        syncDirectorySync(this.#directory);
      }
      const last = this.#segments.at(-1);
      if (last) {
        if (!last.offsets) indexSegment(last, false);
        const keep = version - last.firstVersion + 1;
        const end = last.offsets![keep];
        last.offsets!.length = Math.min(keep, last.offsets!.length);
        if (end !== undefined) cutFile(last, end);
      }
      this.#lastVersion = lastVersionOf(this.#segments);
      this.#queuedVersion = this.#lastVersion;
    });
  }

  reset(): Promise<void> {
    return this.rewind(0);
  }

  async close(): Promise<void> {
    if (this.#closed) return this.#tail;
    this.#closed = true;
    await this.#enqueue(() => this.#writer.close());
    this.#lock.release();
  }

  #refusal(version: number): unknown {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#closed) return new CodedError('CHANGELOG_CLOSED', 'the changelog is closed');
    const expected = this.#queuedVersion + 1;
    if (version === expected || (this.#queuedVersion === 0 && Number.isSafeInteger(version) && version > 0)) {
      return undefined;
    }
    return new CodedError(
      'CHANGELOG_GAP',
      `version ${version} cannot be logged: the changelog in ${this.#directory} goes on at ${expected}`,
      { fields: { version, expected } },
    );
  }

  #enqueue(operation: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(operation);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const started = performance.now();
      await this.#writer.write(batch);
      this.#observe((performance.now() - started) / 1000);
      this.#lastVersion = batch.at(-1)!.version;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      this.#failure ??= new CodedError(
        'CHANGELOG_WRITE_FAILED',
        `the changelog in ${this.#directory} cannot be written: ${messageOf(error)}; ${writeRemedy(this.#directory, error)}`,
        { fields: { directory: this.#directory }, cause: error },
      );
      for (const { reject } of batch) reject(this.#failure);
    }
  }

  #segmentOf(version: number): { segment: Segment; isLast: boolean; next: number } {
    const found = this.#segments.findLastIndex(({ firstVersion }) => firstVersion <= version);
    const next = this.#segments[found + 1];
    return {
      segment: this.#segments[found]!,
      isLast: next === undefined,
      next: next?.firstVersion ?? Number.POSITIVE_INFINITY,
    };
  }
}

function* readRange(segment: Segment, from: number, to: number): Iterable<ChangelogEntry> {
  const handle = openSync(segment.path, 'r');
  try {
    for (let version = from; version <= to; version++) yield readEntry(segment, handle, version);
  } finally {
    closeSync(handle);
  }
}

function lastVersionOf(segments: readonly Segment[]): number {
  const last = segments.at(-1);
  return last ? last.firstVersion + last.offsets!.length - 1 : 0;
}
