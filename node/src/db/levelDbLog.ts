import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Syncs every log file of a LevelDB. LevelDB syncs only the log it writes to: batches in the log before it are
 * not safe until their table file is. A log that vanishes meanwhile has become such a (synced) file.
 */
export async function syncLogFiles(directory: string): Promise<void> {
  const logs = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  for (const name of logs) {
    try {
      await using file = await open(join(directory, name), 'r');
      await file.datasync();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
