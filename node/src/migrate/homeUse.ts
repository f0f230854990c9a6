import { readdirSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import { lockHolder } from '../state/changelog/index.ts';
import { migrationErrors } from './migrationErrors.ts';

/**
 * The process that works on a home's data: the holder of its lock, or, where the system tells, any that has a
 * file below these directories open (a consensus engine of its own, a backup). `undefined` when there is none.
 */
export function userOf(home: string, directories: readonly string[]): number | undefined {
  return lockHolder(join(home, DATA_DIRS.changelog)) ?? openerOf([join(home, 'data'), ...directories]);
}

/** Throws MIGRATE_RUNNING. */
export function refuseWhileUsed(home: string, directories: readonly string[]): void {
  const pid = userOf(home, directories);
  if (pid === undefined) return;
  throw migrationErrors.running(
    `${home} is in use by process ${pid}; run the step "stop", or stop that process first`,
    { home, pid },
  );
}

function openerOf(directories: readonly string[]): number | undefined {
  for (const name of namesIn('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const files = `/proc/${name}/fd`;
    for (const file of namesIn(files)) {
      const path = linkOf(join(files, file));
      if (directories.some((directory) => path.startsWith(`${directory}${sep}`))) return pid;
    }
  }
  return undefined;
}

/** Empty where the system has no such directory, or does not let us look. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
