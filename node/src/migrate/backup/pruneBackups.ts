import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCodedError, syncDirectory } from '@chain/platform';
import { migrationPlaces } from '../layout.ts';
import { type BackupRecord, digestOf, MANIFEST, verifyBackup } from './manifest.ts';

/**
 * Deletes all but the newest `keep` whole backups of a home, `current` among those that stay, whatever their times say.
 * What is no whole backup is not touched. Gives the directories that are gone. Throws MIGRATE_BACKUP, with nothing
 * deleted, when `current` is not whole.
 */
export async function pruneBackups(
  home: string,
  current: BackupRecord,
  keep: number,
): Promise<readonly string[]> {
  await verifyBackup(current);
  const { root } = migrationPlaces(home);
  const others: { readonly directory: string; readonly takenAt: number }[] = [];
  for (const directory of await backupsIn(root)) {
    if (directory.endsWith(DRAFT)) await rm(directory, { recursive: true, force: true });
    else if (directory !== current.directory) {
      const takenAt = await takenAtOf(directory);
      if (takenAt !== undefined) others.push({ directory, takenAt });
    }
  }
  others.sort((a, b) => b.takenAt - a.takenAt);
  const old = others.slice(Math.max(0, keep - 1)).map(({ directory }) => directory);
  for (const directory of old) await remove(directory);
  return old;
}

const DRAFT = '.tmp';

/** Cut short, it is a draft, which the next one takes away. */
async function remove(directory: string): Promise<void> {
  const draft = `${directory}${DRAFT}`;
  await rename(directory, draft);
  await syncDirectory(dirname(directory));
  await rm(draft, { recursive: true, force: true });
}

/** Of every migration of the home. */
async function backupsIn(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const migration of await readdir(root, { withFileTypes: true })) {
    if (!migration.isDirectory()) continue;
    const directory = join(root, migration.name);
    for (const name of await readdir(directory))
      if (/^backup-\d+(\.tmp)?$/.test(name)) found.push(join(directory, name));
  }
  return found;
}

/** Unix milliseconds; `undefined` for what is no whole backup. */
async function takenAtOf(directory: string): Promise<number | undefined> {
  try {
    const digest = digestOf(await readFile(join(directory, MANIFEST)));
    const takenAt = Date.parse((await verifyBackup({ directory, digest })).takenAt);
    return Number.isNaN(takenAt) ? undefined : takenAt;
  } catch (error) {
    const isDamaged = isCodedError(error) || (error as NodeJS.ErrnoException).code !== undefined;
    if (isDamaged) return undefined;
    throw error;
  }
}
