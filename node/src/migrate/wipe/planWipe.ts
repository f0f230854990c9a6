import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { CACHE_DIR } from '@chain/platform/contract';
import type { DataDirectory } from '../homeAccess.ts';
import { migrationPlaces, WIPED_FILES } from '../layout.ts';
import { migrationErrors } from '../migrationErrors.ts';

/** What a wipe takes, and nothing else. */
export interface WipePlan {
  /** Whose entries go; they themselves stay. */
  readonly emptied: readonly string[];
  /** Files and directories that go. */
  readonly removed: readonly string[];
}

/** Files of LevelDB and RocksDB, and the directories that SS, SC and FlatKV make. */
const STORE_ENTRY =
  /^(CURRENT|LOCK.*|LOG(\.old.*)?|IDENTITY|MANIFEST-\d+|OPTIONS-\d+(\.dbtmp)?|\d+\.(ldb|sst|log|blob|dbtmp)|wal(\.\d+)?|lost|nonce|codehash|code|storage|legacy|account|misc|metadata|working|building|current(-tmp)?|snapshot-\d+(-tmp)?)$/;

/**
 * What spec M-3 lists: all under `data/`, the wasm directory, the cache, validator key, genesis and config.toml; and where
 * the settings really keep SS, SC and CometBFT's data. Looks only. Throws MIGRATE_WIPE for a path that a link leads
 * out of the home, and for a directory outside of it that holds something else.
 */
export async function planWipe(home: string, directories: readonly DataDirectory[]): Promise<WipePlan> {
  const data = join(home, 'data');
  const made = [join(home, 'wasm'), join(home, CACHE_DIR)];
  for (const inside of [home, data, join(home, 'config'), ...made]) await requireNoLink(home, inside);
  const emptied = [data];
  for (const { path, about } of directories) {
    if (!isAbsolute(path))
      throw unsafe(path, about, 'the path is relative, so it depends on where a process starts');
    if (isWithin(path, data)) continue;
    if (await isAbsent(path)) continue;
    await requireStore(home, path, about);
    emptied.push(path);
  }
  return { emptied, removed: [...made, ...WIPED_FILES.map((file) => join(home, file))] };
}

async function isAbsent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );
}

/** The home itself may be reached through a link: the operator named it. What lies in it must lie in it. */
async function requireNoLink(home: string, path: string): Promise<void> {
  if (path === home || (await isAbsent(path))) return;
  if (!(await lstat(path)).isSymbolicLink()) return;
  throw migrationErrors.wipe(
    `${path} is a link to ${await realpath(path).catch(() => 'nowhere')}, and nothing is deleted through a link; mount or move the directory there, or migrate by hand as docs/guides/migration.md tells`,
    { path },
  );
}

/** A directory that a setting names: never one that holds the home, and nothing but a store's files in it. */
async function requireStore(home: string, path: string, about: string): Promise<void> {
  const places = [home, migrationPlaces(home).root, join(home, 'config')];
  const real = await realpath(path);
  const realPlaces = await Promise.all(places.map((place) => realpath(place).catch(() => place)));
  const holder = realPlaces.find((place) => isWithin(place, real));
  if (holder !== undefined) throw unsafe(path, about, `it holds ${holder}`);
  if ((await lstat(path)).isSymbolicLink()) throw unsafe(path, about, `it is a link to ${real}`);
  if (!(await lstat(path)).isDirectory()) throw unsafe(path, about, 'it is no directory');
  const strange = (await readdir(path)).find((name) => !STORE_ENTRY.test(name));
  if (strange !== undefined) throw unsafe(path, about, `it holds "${strange}", which no store makes`);
}

/** Whether `path` is `directory` or lies below it. */
function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}

/** Directories whose sync makes a plan's removals durable. */
export function parentsOf({ emptied, removed }: WipePlan): string[] {
  return [...new Set([...emptied, ...removed.map((path) => dirname(path))])];
}

function unsafe(path: string, about: string, why: string) {
  return migrationErrors.wipe(
    `the directory of ${about}, ${path}, is not deleted: ${why}; give ${about} a directory of its own in app.toml, or empty it yourself`,
    { path, about },
  );
}
