import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError, diskFull, isDiskFull } from '@chain/platform';

export interface DirectoryLock {
  /** Idempotent. */
  release(): void;
}

/**
 * Takes `<directory>/LOCK` for this process. The file holds the owner's process id and, where the system tells
 * it, the time the process started: a container restarts with the same ids, and a lock left by a killed
 * process must not lock out its successor. Throws DIRECTORY_LOCKED naming the owner, DISK_FULL.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'LOCK');
  const mine = describeProcess(process.pid);
  const draft = `${path}-${process.pid}-tmp`;
  try {
    writeFileSync(draft, mine);
    for (let attempt = 0; attempt < 3; attempt++) {
      if (tryLink(draft, path)) return { release: () => releaseLock(path, mine) };
      const owner = readOwner(path);
      if (owner !== undefined && isRunning(owner)) throw lockedBy(directory, owner);
      if (owner !== undefined) removeStale(path, owner);
    }
    throw lockedBy(directory, readOwner(path) ?? 'unknown');
  } catch (error) {
    throw isDiskFull(error) ? diskFull(draft, error) : error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The id of the running process that has a directory locked; looks only. */
export function lockHolder(directory: string): number | undefined {
  const owner = readOwner(join(directory, 'LOCK'));
  return owner !== undefined && isRunning(owner) ? Number(owner.split(' ')[0]) : undefined;
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the stale lock away first: what was moved may by now be the lock of a faster rival. */
function removeStale(path: string, owner: string): void {
  const aside = `${path}-${process.pid}-stale-tmp`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readOwner(aside) !== owner) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function releaseLock(path: string, mine: string): void {
  if (readOwner(path) === mine) rmSync(path, { force: true });
}

function lockedBy(directory: string, owner: string): CodedError {
  const pid = Number(owner.split(' ')[0]);
  return new CodedError(
    'DIRECTORY_LOCKED',
    `${directory} is in use by process ${Number.isNaN(pid) ? 'unknown' : pid}; stop that process first`,
    { fields: { directory, pid } },
  );
}

function readOwner(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(owner: string): boolean {
  const [pid = ''] = owner.split(' ');
  const id = Number(pid);
  if (!Number.isInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = describeProcess(id);
  return now === pid || now === owner;
}

/** `pid start boot` on Linux (where a process that only waits to be reaped has no start), `pid` elsewhere. */
function describeProcess(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const start = fields[0] === 'Z' ? '' : fields[19];
    return `${pid} ${start} ${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}`;
  } catch {
    return `${pid}`;
  }
}
