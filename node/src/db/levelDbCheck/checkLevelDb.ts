import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { liveTables } from './liveTables.ts';
import { damageInLog } from './logCheck.ts';
import { damageInTable } from './tableCheck.ts';

/**
 * Table bytes that are checked before a database opens, the newest first: a third of a second of processor time, however
 * large the database is.
 */
const BYTES_AT_OPEN = 64 << 20;

/**
 * Checks files that LevelDB itself would take as they are: it passes over bad records in the midst of a log, and a
 * table is told of as damaged before it is needed. Gives the tables of a large database that are left to be checked
 * later, newest first. Throws DB_DAMAGED naming the file.
 */
export async function checkLevelDb(directory: string, bytesAtOpen = BYTES_AT_OPEN): Promise<string[]> {
  const names = await readdir(directory);
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    const path = join(directory, name);
    const offset = damageInLog(await readFile(path));
    if (offset !== undefined) throw damaged(directory, path, offset);
  }
  const live = await liveTables(directory);
  if (!live) throw damaged(directory, join(directory, 'CURRENT'), 0);
  const numberOf = (name: string): number => Number.parseInt(name, 10);
  const tables = names
    .filter((name) => /\.(ldb|sst)$/.test(name) && live.has(numberOf(name)))
    .sort((a, b) => numberOf(b) - numberOf(a))
    .map((name) => join(directory, name));
  let left = bytesAtOpen;
  for (const [position, path] of tables.entries()) {
    left -= (await stat(path)).size;
    if (left < 0) return tables.slice(position);
    const offset = damageInTable(await readFile(path));
    if (offset !== undefined) throw damaged(directory, path, offset);
  }
  return [];
}

export function damaged(directory: string, path: string, offset: number): CodedError {
  return new CodedError(
    'DB_DAMAGED',
    `database file "${path}" is damaged at offset ${offset}; restore "${directory}" from a backup, or remove the node's data and state sync`,
    { fields: { directory, file: path, offset } },
  );
}
