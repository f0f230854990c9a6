import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { liveTables } from './liveTables.ts';
import { damageInLog } from './logCheck.ts';
import { damageInTable } from './tableCheck.ts';

/** Table bytes that are checked, the newest first: some hundreds of milliseconds. */
const TABLE_BYTES_CHECKED = 256 << 20;

/**
 * Checks files that LevelDB itself would take as they are: it passes over bad records in the midst of a log and
 * reads table blocks without their checksums, neither of which its binding lets us change. Of a large database
 * only the newest tables are checked. Throws DB_DAMAGED naming the file.
 */
export async function checkLevelDb(directory: string): Promise<void> {
  const names = (await readdir(directory)).sort();
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    const path = join(directory, name);
    const offset = damageInLog(await readFile(path));
    if (offset !== undefined) throw damaged(directory, path, offset);
  }
  let left = TABLE_BYTES_CHECKED;
  const live = await liveTables(directory);
  const isLive = (name: string): boolean => /\.(ldb|sst)$/.test(name) && live.has(Number.parseInt(name, 10));
  for (const name of names.filter(isLive).reverse()) {
    const path = join(directory, name);
    left -= (await stat(path)).size;
    if (left < 0) return;
    const offset = damageInTable(await readFile(path));
    if (offset !== undefined) throw damaged(directory, path, offset);
  }
}

function damaged(directory: string, path: string, offset: number): CodedError {
  return new CodedError(
    'DB_DAMAGED',
    `database file "${path}" is damaged at offset ${offset}; restore "${directory}" from a backup, or remove the node's data and state sync`,
    { fields: { directory, file: path, offset } },
  );
}
