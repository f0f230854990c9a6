import { readdir } from 'node:fs/promises';
import { CodedError } from '@chain/platform';
import { MARKER_FILE } from './ownershipMarker.ts';

/**
 * Throws DB_FOREIGN_DIRECTORY when a database directory holds files of another program (a Go node's Pebble,
 * RocksDB, or any stray database): nothing in it is read or written (design.md §6). A missing or empty
 * directory passes; so does one that this program made.
 */
export async function refuseForeignDirectory(directory: string): Promise<void> {
  const names = await entriesOf(directory);
  // A crash while the marker, the first file of a directory, is written leaves its temporary one.
  if (names.includes(MARKER_FILE) || names.every((name) => name.startsWith(MARKER_FILE))) return;
  throw new CodedError(
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
    throw new CodedError(
      'DB_OPEN_FAILED',
      `directory "${directory}" cannot be inspected: ${(cause as Error).message}; check its kind and permissions`,
      { fields: { directory }, cause },
    );
  }
}

function describeOwner(names: readonly string[]): string {
  const pebble = names.some((name) => /^(marker\.|OPTIONS-)/.test(name));
  if (pebble) return 'a Pebble or RocksDB database';
  return names.some((name) => /\.(sst|ldb)$|^MANIFEST-|^CURRENT$/.test(name)) ? 'a database' : 'files';
}
