import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, writeFileDurably } from '@chain/platform';
import { DbErrors } from './dbErrors.ts';

/** A file that only this program writes into a database directory; it names the engine. */
const MARKER_FILE = 'CHAIN_DB';

export type DbEngine = 'leveldb' | 'rocksdb';
const BACKEND_OF = { leveldb: 'pebbledb', rocksdb: 'rocksdb' } as const;

/**
 * Makes a directory this program's, for one engine. Throws DB_FOREIGN_DIRECTORY when it holds files of another
 * program (a Go node's Pebble or RocksDB, or any stray database), DB_OTHER_ENGINE when the other engine of
 * this program wrote it; nothing in it is read or written then (spec S-20).
 */
export async function claimDirectory(directory: string, engine: DbEngine): Promise<void> {
  const owner = await ownerOf(directory);
  if (owner === engine) return;
  if (owner !== undefined) {
    throw new CodedError(
      'DB_OTHER_ENGINE',
      `directory "${directory}" was written with ss-backend = "${BACKEND_OF[owner]}", not "${BACKEND_OF[engine]}"; set it back, or move the directory away and state sync`,
      { fields: { directory, owner, engine } },
    );
  }
  try {
    await mkdir(directory, { recursive: true });
    await writeFileDurably(join(directory, MARKER_FILE), `${engine} 1\n`);
  } catch (cause) {
    throw new DbErrors(directory).cannotOpen(cause);
  }
}

/**
 * The engine that this program wrote a directory with; `undefined` when it is missing or empty. Throws
 * DB_FOREIGN_DIRECTORY, and DB_OPEN_FAILED when the directory cannot be inspected. Writes nothing.
 */
export async function ownerOf(directory: string): Promise<DbEngine | undefined> {
  const names = await entriesOf(directory);
  if (!names.includes(MARKER_FILE)) {
    // A crash while the marker, the first file of a directory, is written leaves its temporary one.
    if (names.every((name) => name.startsWith(MARKER_FILE))) return undefined;
    throw foreign(directory, names);
  }
  const marker = await readFile(join(directory, MARKER_FILE), 'utf8');
  return marker.startsWith('rocksdb') ? 'rocksdb' : 'leveldb';
}

function foreign(directory: string, names: readonly string[]): CodedError {
  return new CodedError(
    'DB_FOREIGN_DIRECTORY',
    `directory "${directory}" holds ${describeOwner(names)} that this program did not write (found "${names[0]}"); ` +
      'it is left untouched: move it away, then state sync, or choose another directory',
    { fields: { directory, found: names[0] } },
  );
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new DbErrors(directory).cannotOpen(cause);
  }
}

function describeOwner(names: readonly string[]): string {
  const pebble = names.some((name) => /^(marker\.|OPTIONS-)/.test(name));
  if (pebble) return 'a Pebble or RocksDB database';
  return names.some((name) => /\.(sst|ldb)$|^MANIFEST-|^CURRENT$/.test(name)) ? 'a database' : 'files';
}
