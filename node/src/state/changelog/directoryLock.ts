import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CodedError, diskFull, isDiskFull, messageOf } from '@chain/platform';

export interface DirectoryLock {
  /** Idempotent. */
  release(): void;
}

/** What tells people who has the lock: process id and host. */
const OWNER = 'LOCK';
/**
 * What is locked: an empty file that SQLite holds a lock of the system's on. That one ends with its process, however
 * it ends, and is seen from other containers and, where the file system can, from other machines; a process id is not.
 * The file stays: a lock on a file that is removed keeps nobody out.
 */
const LOCKED = 'LOCK-held';
const SQLITE_BUSY = 5;
/** Somebody who only looks has it for less than this. */
const LOOK_MS = 25;

/** Whether a file of a directory belongs to its lock. */
export function isLockFile(name: string): boolean {
  return name === OWNER || name === LOCKED;
}

/** Takes a directory for this process. Throws DIRECTORY_LOCKED naming the owner, DIRECTORY_UNLOCKABLE, DISK_FULL. */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, LOCKED);
  try {
    createOnce(path);
    const held = hold(path, directory);
    try {
      writeFileSync(join(directory, OWNER), `${process.pid} ${hostname()}`);
    } catch (error) {
      held.close();
      throw error;
    }
    return {
      release: () => {
        if (!held.isOpen) return;
        rmSync(join(directory, OWNER), { force: true });
        held.close();
      },
    };
  } catch (error) {
    throw isDiskFull(error) ? diskFull(path, error) : error;
  }
}

/** The id of the running process that has a directory locked; looks only. */
export function lockHolder(directory: string): number | undefined {
  const path = join(directory, LOCKED);
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    return undefined;
  } catch (error) {
    if (isBusy(error)) return ownerOf(directory).pid;
    throw unlockable(directory, error);
  } finally {
    database.close();
  }
}

/** Never opens a file that is there: whoever closes one again loses all locks that its process has on it. */
function createOnce(path: string): void {
  try {
    closeSync(openSync(path, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function hold(path: string, directory: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: LOOK_MS });
  try {
    // A journal on disk would be a file of its own.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw isBusy(error) ? lockedBy(directory) : unlockable(directory, error);
  }
}

function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number };
  // The low byte is the code, the rest tells of its kind.
  return (errcode & 0xff) === SQLITE_BUSY;
}

function ownerOf(directory: string): { readonly pid: number; readonly host: string } {
  try {
    const [pid, host = ''] = readFileSync(join(directory, OWNER), 'utf8').split(' ');
    return { pid: Number(pid), host };
  } catch {
    // It takes the lock just now.
    return { pid: Number.NaN, host: '' };
  }
}

function lockedBy(directory: string): CodedError {
  const { pid, host } = ownerOf(directory);
  const where = host === '' || host === hostname() ? '' : ` on host ${host}`;
  return new CodedError(
    'DIRECTORY_LOCKED',
    `${directory} is in use by process ${Number.isNaN(pid) ? 'unknown' : pid}${where}; stop that process first`,
    { fields: { directory, pid, host } },
  );
}

function unlockable(directory: string, cause: unknown): CodedError {
  return new CodedError(
    'DIRECTORY_UNLOCKABLE',
    `${directory} cannot be locked: ${messageOf(cause)}; put it on a file system that has file locks, with a right to write`,
    { fields: { directory }, cause },
  );
}
