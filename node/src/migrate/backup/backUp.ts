import { readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathExists, syncDirectory, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { readSignState, type SignState } from '../../keys/index.ts';
import { migrationErrors } from '../migrationErrors.ts';
import {
  BACKED_UP,
  type BackupManifest,
  type BackupRecord,
  digestOf,
  MANIFEST,
  requireKeys,
  verifyBackup,
} from './manifest.ts';

/**
 * Copies the files that make a node itself, and its settings: each copy is synced, read again and hashed, and the
 * whole appears under its name in one step. Throws MIGRATE_BACKUP, KEYS_FILE_INVALID; the home is not changed.
 */
export async function backUp(home: string, directory: string): Promise<BackupRecord> {
  await requireKeys(home);
  return copyAll(home, directory, (file) => join(home, file));
}

/**
 * What the validator key has signed since the backup was made goes into a new one, so that the last-sign state never
 * goes back. Gives the old record when there is nothing newer.
 */
export async function absorbSignState(
  home: string,
  backup: BackupRecord,
  nextDirectory: string,
): Promise<BackupRecord> {
  const path = join(home, CONFIG_FILES.validatorState);
  if (!(await pathExists(path))) return backup;
  await verifyBackup(backup);
  const copy = join(backup.directory, CONFIG_FILES.validatorState);
  if (!isLater(await readSignState(path), await readSignState(copy))) return backup;
  return copyAll(home, nextDirectory, (file) =>
    join(file === CONFIG_FILES.validatorState ? home : backup.directory, file),
  );
}

/** Whether `a` was signed after `b`. */
export function isLater(a: SignState, b: SignState): boolean {
  return (a.height - b.height || a.round - b.round || a.step - b.step) > 0;
}

async function copyAll(
  home: string,
  directory: string,
  sourceOf: (file: string) => string,
): Promise<BackupRecord> {
  const draft = `${directory}.tmp`;
  await rm(draft, { recursive: true, force: true });
  const files: Record<string, string> = {};
  for (const file of BACKED_UP) files[file] = await copyFile(sourceOf(file), join(draft, file));
  const manifest: BackupManifest = { format: 1, home, takenAt: new Date().toISOString(), files };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFileDurably(join(draft, MANIFEST), text);
  // One of this name that is there already was cut short: the journal does not know it.
  await rm(directory, { recursive: true, force: true });
  await rename(draft, directory);
  await syncDirectory(dirname(directory));
  const record = { directory, digest: digestOf(Buffer.from(text)) };
  await verifyBackup(record);
  return record;
}

/** Gives the SHA-256 of what was read, which the copy, read again, must have. */
async function copyFile(from: string, to: string): Promise<string> {
  const bytes = await readFile(from).catch((cause: unknown) => {
    throw migrationErrors.backup(
      `${from} cannot be read (${(cause as NodeJS.ErrnoException).code}), and without it the node would not be itself again; put the file back`,
      { path: from },
      cause,
    );
  });
  await writeFileDurably(to, bytes, (await stat(from)).mode & 0o777);
  const digest = digestOf(bytes);
  if (digestOf(await readFile(to)) === digest) return digest;
  throw migrationErrors.backup(`${to} is not what was written; check the disk`, { path: to });
}
