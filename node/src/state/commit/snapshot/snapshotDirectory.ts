import { existsSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CodedError, syncDirectory } from '@chain/platform';
import { isLockFile } from '../../changelog/index.ts';

const NAME = /^snapshot-(\d{20})$/;

const snapshotName = (version: number): string => `snapshot-${String(version).padStart(20, '0')}`;

/**
 * The snapshots of a state-commit directory and its `current` link (spec S-5). What a running node does to them
 * is asynchronous: a sync may wait for all that the disk has still to write.
 */
export class SnapshotDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Removes what a crash left half done: `*-tmp`, and snapshots newer than `current`. Throws
   * STATE_COMMIT_FOREIGN when the directory holds anything else.
   */
  recover(): void {
    for (const name of readdirSync(this.path)) {
      if (!isLockFile(name) && name !== 'current' && !name.endsWith('-tmp') && !NAME.test(name)) {
        throw foreign(this.path, name);
      }
    }
    for (const name of readdirSync(this.path)) {
      if (name.endsWith('-tmp')) rmSync(join(this.path, name), { recursive: true, force: true });
    }
    const current = this.current();
    if (current === undefined) return;
    for (const version of this.versions()) {
      if (version > current) rmSync(this.snapshotPath(version), { recursive: true });
    }
  }

  /** Ascending. */
  versions(): number[] {
    return readdirSync(this.path)
      .map((name) => NAME.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** The version that `current` names; `undefined` when there is no snapshot. */
  current(): number | undefined {
    const link = join(this.path, 'current');
    let target: string;
    try {
      target = readlinkSync(link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.versions().at(-1);
      throw foreign(this.path, 'current');
    }
    const digits = NAME.exec(basename(target))?.[1];
    if (digits === undefined || !existsSync(join(this.path, basename(target)))) {
      throw new CodedError(
        'STATE_COMMIT_SNAPSHOT_DAMAGED',
        `${link} names ${target}, which is not there; restore it from a backup or state-sync`,
        { fields: { path: link, target } },
      );
    }
    return Number(digits);
  }

  snapshotPath(version: number): string {
    return join(this.path, snapshotName(version));
  }

  /** Where the snapshot of a version is written before it is published. */
  draftPath(version: number): string {
    return `${this.snapshotPath(version)}-tmp`;
  }

  /** Milliseconds since the epoch. */
  writtenAt(version: number): number {
    return statSync(this.snapshotPath(version)).mtimeMs;
  }

  /** Makes a finished and synced draft the current snapshot. */
  async publish(version: number): Promise<void> {
    await rename(this.draftPath(version), this.snapshotPath(version));
    await syncDirectory(this.path);
    await this.#pointAt(version);
  }

  /** Makes an older snapshot the current one and removes the newer ones; a crash between leaves that to `recover`. */
  async rewindTo(version: number): Promise<void> {
    if (this.current() !== version) await this.#pointAt(version);
    this.recover();
  }

  async #pointAt(version: number): Promise<void> {
    const draft = join(this.path, 'current-tmp');
    await rm(draft, { force: true });
    await symlink(snapshotName(version), draft);
    await rename(draft, join(this.path, 'current'));
    await syncDirectory(this.path);
  }

  /** Removes all but the newest `keep` snapshots; a name moved aside first is never taken for a whole one. */
  async prune(keep: number): Promise<void> {
    for (const version of this.versions().slice(0, -keep)) {
      await rename(this.snapshotPath(version), this.draftPath(version));
      await rm(this.draftPath(version), { recursive: true });
    }
  }
}

function foreign(directory: string, name: string): CodedError {
  return new CodedError(
    'STATE_COMMIT_FOREIGN',
    `${directory} holds "${name}", which this program did not write; the state commitment needs a directory of its own`,
    { fields: { directory, name } },
  );
}
