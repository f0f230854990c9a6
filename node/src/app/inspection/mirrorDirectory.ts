import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { isLockFile } from '../../state/changelog/index.ts';

/** Table files never change once they have their name. */
const TABLE_FILE = /\.(ldb|sst)$/;
/** Nor do the files of a published snapshot. */
const SNAPSHOT = /^snapshot-\d{20}$/;
const CHANGELOG_SEGMENT = /^\d{20}$/;
/** The newest may grow, the one before may have been the newest when the listing was made. */
const COPIED_SEGMENTS = 2;
const ATTEMPTS = 20;

/**
 * Makes `target` look like `source` without touching it: what never changes is linked, all else is copied, locks
 * are left out. A missing source leaves a missing target. With `copySegments` the changelog may be cut in `target`.
 */
export async function mirrorDirectory(
  source: string,
  target: string,
  options: { readonly copySegments?: boolean } = {},
): Promise<void> {
  const entries = await entriesOf(source);
  if (entries === undefined) return;
  if (entries.some(({ name }) => name === 'CURRENT')) return mirrorDatabase(source, target);
  await mkdir(target, { recursive: true });
  const segments = entries.filter(({ name }) => CHANGELOG_SEGMENT.test(name)).map(({ name }) => name);
  const linked = options.copySegments ? [] : segments.sort().slice(0, -COPIED_SEGMENTS);
  for (const entry of entries) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (isLockFile(entry.name) || entry.name.endsWith('-tmp')) continue;
    if (SNAPSHOT.test(entry.name) || linked.includes(entry.name)) await symlink(from, to);
    else if (entry.isDirectory()) await mirrorDirectory(from, to, options);
    else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else await copy(from, to);
  }
}

/** Again from the start when the database's list of files changed meanwhile: a node that runs writes on. */
async function mirrorDatabase(source: string, target: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await rm(target, { recursive: true, force: true });
    await mkdir(target, { recursive: true });
    const before = await manifestOf(source);
    const entries = (await entriesOf(source)) ?? [];
    for (const { name } of entries) {
      if (name === 'LOCK' || name.startsWith('LOG')) continue;
      if (TABLE_FILE.test(name)) await symlink(join(source, name), join(target, name));
      else await copy(join(source, name), join(target, name));
    }
    if (before === (await manifestOf(source))) return;
  }
  throw new CodedError(
    'APP_HOME_IN_MOTION',
    `database "${source}" changed faster than it could be read; stop the node, or try again when it is less busy`,
    { fields: { directory: source } },
  );
}

/** Which manifest is in use and how long it is: it grows with every change of the list of files. */
async function manifestOf(directory: string): Promise<string> {
  try {
    const name = (await readFile(join(directory, 'CURRENT'), 'utf8')).trim();
    return `${name} ${(await stat(join(directory, name))).size}`;
  } catch {
    return '';
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
    // Gone since the listing: the check of the manifest, or the opening, tells whether it was needed.
    if (error.code !== 'ENOENT') throw error;
  });
}

async function entriesOf(directory: string): Promise<Dirent[] | undefined> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
