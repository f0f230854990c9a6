import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, isCodedError, syncDirectory } from '@chain/platform';
import { type DirectoryLock, lockDirectory } from '../../changelog/index.ts';
import { decodeDescription, SNAPSHOT_FORMAT, type SnapshotDescription } from '../description.ts';
import { decodeRestorePoint, type RestorePoint } from '../restorePoint.ts';

/** Names inside the directory of one snapshot; the chunks lie in `<format>/<index>`. */
export const SHELF_FILES = { description: 'snapshot.pb', restorePoint: 'restore_point.pb' } as const;
const HEIGHT = /^[1-9]\d*$/;
const DRAFT = /^[1-9]\d*-tmp$/;

/** A snapshot on the shelf. */
export interface ShelvedSnapshot {
  readonly description: SnapshotDescription;
  readonly restorePoint: RestorePoint;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * The snapshots of a node, `<directory>/<height>/…`. A snapshot is written under another name and renamed when it
 * is whole, so that reading needs no lock; whoever writes or deletes takes `lock` first.
 */
export class SnapshotShelf {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Throws DIRECTORY_LOCKED while another operation is in progress. Removes what an interrupted one left. */
  lock(): DirectoryLock {
    mkdirSync(this.directory, { recursive: true });
    const lock = lockDirectory(this.directory);
    for (const name of readdirSync(this.directory)) {
      if (DRAFT.test(name)) rmSync(join(this.directory, name), { recursive: true, force: true });
    }
    return lock;
  }

  /** Ascending. */
  heights(): number[] {
    if (!existsSync(this.directory)) return [];
    return readdirSync(this.directory)
      .filter((name) => HEIGHT.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  }

  has(height: number): boolean {
    return existsSync(this.#path(height));
  }

  /** Newest first. What is damaged is told of and left out. */
  list(onDamaged: (error: CodedError) => void = () => undefined): ShelvedSnapshot[] {
    const found: ShelvedSnapshot[] = [];
    for (const height of this.heights().reverse()) {
      try {
        found.push(this.read(height));
      } catch (error) {
        if (!isCodedError(error)) throw error;
        onDamaged(error);
      }
    }
    return found;
  }

  /** Throws SNAPSHOT_ABSENT naming those that are there. */
  require(height: number): void {
    if (!this.has(height)) throw this.#absent(height);
  }

  /** Throws SNAPSHOT_ABSENT, SNAPSHOT_DAMAGED. */
  read(height: number): ShelvedSnapshot {
    this.require(height);
    const path = this.#path(height);
    try {
      const description = decodeDescription(readFileSync(join(path, SHELF_FILES.description)));
      if (description.height !== height) throw damaged(path, `it describes height ${description.height}`);
      return {
        description,
        restorePoint: decodeRestorePoint(readFileSync(join(path, SHELF_FILES.restorePoint))),
        bytes: this.#chunkBytes(height, description.chunks),
        createdAt: statSync(path).mtimeMs,
      };
    } catch (cause) {
      throw isCodedError(cause, 'SNAPSHOT_DAMAGED') ? cause : damaged(path, (cause as Error).message, cause);
    }
  }

  /** Throws SNAPSHOT_ABSENT. The bytes are those on disk: whoever restores compares the hash. */
  async loadChunk(height: number, index: number): Promise<Uint8Array> {
    const path = join(this.#path(height), String(SNAPSHOT_FORMAT), String(index));
    return readFile(path).catch((cause: unknown) => {
      throw new CodedError(
        'SNAPSHOT_ABSENT',
        `chunk ${index} of snapshot ${height} cannot be read (${(cause as NodeJS.ErrnoException).code}); see "chaind snapshot list"`,
        { fields: { height, index }, cause },
      );
    });
  }

  /** Where the next snapshot of a height is written; under the lock only. */
  draft(height: number): string {
    const path = `${this.#path(height)}-tmp`;
    mkdirSync(join(path, String(SNAPSHOT_FORMAT)), { recursive: true });
    return path;
  }

  /** Puts a finished and synced draft on the shelf. */
  async publish(height: number): Promise<void> {
    await rename(`${this.#path(height)}-tmp`, this.#path(height));
    await syncDirectory(this.directory);
  }

  /** Under the lock only. Throws SNAPSHOT_ABSENT. */
  async delete(height: number): Promise<void> {
    this.require(height);
    const aside = `${this.#path(height)}-tmp`;
    // First out of sight: half a snapshot must not be offered to anybody.
    await rename(this.#path(height), aside);
    await syncDirectory(this.directory);
    await rm(aside, { recursive: true });
  }

  /** Deletes all but the newest `keep`; 0 keeps all. Under the lock only. Gives the heights that are gone. */
  async prune(keep: number): Promise<number[]> {
    const gone = keep === 0 ? [] : this.heights().slice(0, -keep);
    for (const height of gone) await this.delete(height);
    return gone;
  }

  #path(height: number): string {
    return join(this.directory, String(height));
  }

  #chunkBytes(height: number, chunks: number): number {
    const directory = join(this.#path(height), String(SNAPSHOT_FORMAT));
    let bytes = 0;
    for (let index = 0; index < chunks; index++) bytes += statSync(join(directory, String(index))).size;
    return bytes;
  }

  #absent(height: number): CodedError {
    const there = this.heights().join(', ') || 'none';
    return new CodedError(
      'SNAPSHOT_ABSENT',
      `there is no snapshot of height ${height} in ${this.directory}; there are: ${there}`,
      { fields: { height, directory: this.directory } },
    );
  }
}

function damaged(path: string, why: string, cause?: unknown): CodedError {
  return new CodedError(
    'SNAPSHOT_DAMAGED',
    `snapshot ${path} is damaged: ${why}; delete it and create another`,
    {
      fields: { path },
      cause,
    },
  );
}
