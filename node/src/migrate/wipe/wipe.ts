import { lstat, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists, syncDirectory } from '@chain/platform';
import { type BackupRecord, verifyBackup } from '../backup/manifest.ts';
import { parentsOf, type WipePlan } from './planWipe.ts';

/** Bytes on disk of what a plan takes; a link counts for itself. */
export async function sizeOfWipe({ emptied, removed }: WipePlan): Promise<number> {
  let bytes = 0;
  for (const path of [...emptied, ...removed]) bytes += await sizeOf(path);
  return bytes;
}

export async function sizeOf(path: string): Promise<number> {
  // A running node removes files while they are counted.
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined) return 0;
  if (!entry.isDirectory()) return entry.blocks * 512;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await sizeOf(join(path, name));
  return bytes;
}

/**
 * Deletes what the plan names; links are removed, never followed. Reads the backup again first: without one that is
 * whole nothing is touched. Can be done again. Throws MIGRATE_BACKUP.
 */
export async function wipe(plan: WipePlan, backup: BackupRecord): Promise<void> {
  await verifyBackup(backup);
  for (const directory of plan.emptied) {
    const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) await remove(join(directory, name));
  }
  for (const path of plan.removed) await remove(path);
  for (const directory of parentsOf(plan)) {
    if (await pathExists(directory)) await syncDirectory(directory);
  }
}

async function remove(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined) return;
  if (entry.isDirectory()) await rm(path, { recursive: true });
  else await unlink(path);
}
