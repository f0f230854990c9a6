import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, syncDirectory, writeFileDurably } from '@chain/platform';

/** There while an engine makes a database: LevelDB does not sync its first files, RocksDB names them before CURRENT. */
const UNFINISHED_FILE = 'CHAIN_DB.new';
const DATABASE_FILE =
  /^(\d+\.(log|ldb|sst|dbtmp)|MANIFEST-\d+|OPTIONS-\d+(\.dbtmp)?|CURRENT|IDENTITY|LOG(\.old)?|LOCK)$/;

/**
 * To be called before an engine opens a directory. One that a crash left half made is emptied: nothing was ever
 * written to it. One that lost its CURRENT is refused with DB_DAMAGED, for the engine would begin a new database.
 */
export async function prepareDatabase(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => DATABASE_FILE.test(name));
  const unfinished = join(directory, UNFINISHED_FILE);
  if ((await readdir(directory)).includes(UNFINISHED_FILE)) {
    for (const name of names) await rm(join(directory, name));
    return;
  }
  if (names.includes('CURRENT')) return;
  if (names.some((name) => name !== 'LOCK' && !name.startsWith('LOG'))) throw damaged(directory, 'CURRENT');
  await writeFileDurably(unfinished, '');
}

/** To be called once the engine has opened the directory: makes the names of its files outlive a power loss. */
export async function settleDatabase(directory: string): Promise<void> {
  await syncDirectory(directory);
  await rm(join(directory, UNFINISHED_FILE), { force: true });
  await syncDirectory(directory);
}

function damaged(directory: string, name: string): CodedError {
  return new CodedError(
    'DB_DAMAGED',
    `database "${directory}" has lost its file ${name}; restore the directory from a backup, or remove the node's data and state sync`,
    { fields: { directory, file: name } },
  );
}
