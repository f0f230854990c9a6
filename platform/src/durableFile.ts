import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { namingFullDisk } from './diskFull.ts';

/**
 * Replaces a file in one step: after a crash at any instant the old or the new content is there, never a mix.
 * The directory is made when absent. `mode` is the file's permission bits, 0o600 by default. Throws DISK_FULL.
 */
export function writeFileDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  return namingFullDisk(path, () => replaceFile(path, content, mode));
}

async function replaceFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // One name: what a crash leaves is replaced by the next write, not joined by it. One writer a path.
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Makes renames and creations inside a directory survive a power loss. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
