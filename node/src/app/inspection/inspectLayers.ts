import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCodedError, silentLogger } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import type { AppConfig } from '../../config/index.ts';
import { type DbEngine, ownerOf } from '../../db/index.ts';
import { historyExtent } from '../../history/index.ts';
import { openChangelog } from '../../state/changelog/index.ts';
import { snapshotVersions } from '../../state/commit/index.ts';
import { flatKvVersions } from '../../state/flatKv/index.ts';
import { openStoreDatabases } from '../../state/store/index.ts';
import { stateDirectories } from '../stateDirectories.ts';
import type { ShadowHome } from './shadowHome.ts';

/** One thing that a node keeps on disk. */
export interface Layer {
  readonly name: string;
  readonly directory: string;
  readonly present: boolean;
  readonly bytes: number;
  /** `pebbledb`, `rocksdb`, or what else the files are. */
  readonly backend?: string;
  /** Newest and oldest version that it holds; of a changelog, its ends. */
  readonly latest?: number;
  readonly earliest?: number;
  /** More than fits those two. */
  readonly note?: string;
  /** Why it cannot be read. */
  readonly problem?: string;
}

type Facts = Pick<Layer, 'backend' | 'latest' | 'earliest' | 'note'>;

const BACKEND: Readonly<Record<DbEngine, 'pebbledb' | 'rocksdb'>> = {
  leveldb: 'pebbledb',
  rocksdb: 'rocksdb',
};
const OTHER = { pebbledb: 'rocksdb', rocksdb: 'pebbledb' } as const;

/** Every layer as it lies on disk, before any recovery. Reads the shadow; names the original. */
export async function inspectLayers(
  home: string,
  config: AppConfig,
  shadow: ShadowHome,
): Promise<readonly Layer[]> {
  const directories = stateDirectories(home, config);
  const layer = (name: string, directory: string, facts: () => Promise<Facts>) =>
    describeLayer({ name, directory }, facts, shadow);
  const store = config['state-store'];
  const layers = [
    await layer('SC (memiavl)', directories.commit, async () =>
      commitFacts(shadow.shadowOf(directories.commit)),
    ),
    await layer('SC (FlatKV)', directories.flatKv, () => flatKvFacts(shadow.shadowOf(directories.flatKv))),
    await layer('base SS', directories.base, () => storeFacts(shadow, directories.base, false)),
    await layer('EVM SS', directories.evm, async () => ({
      ...(await storeFacts(shadow, directories.evm, true)),
      ...(store['evm-ss-split'] ? {} : { note: 'orphaned: evm-ss-split = false, so it is not opened' }),
    })),
    await layer('changelog', directories.changelog, () =>
      changelogFacts(shadow.shadowOf(directories.changelog)),
    ),
    await layer('history', directories.history, () => historyFacts(shadow.shadowOf(directories.history))),
  ];
  const unused = join(home, DATA_DIRS[OTHER[store['ss-backend']]]);
  const other = await layer('base SS of the other backend', unused, async () => ({
    note: `not opened: ss-backend = "${store['ss-backend']}"`,
  }));
  return other.present ? [...layers, other] : layers;
}

async function describeLayer(
  place: Pick<Layer, 'name' | 'directory'>,
  facts: () => Promise<Facts>,
  shadow: ShadowHome,
): Promise<Layer> {
  const bytes = await sizeOf(place.directory);
  if (bytes === undefined) return { ...place, present: false, bytes: 0 };
  try {
    return { ...place, present: true, bytes, ...(await facts()) };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { ...place, present: true, bytes, problem: shadow.named(error.message) };
  }
}

function commitFacts(directory: string): Facts {
  const { current, all } = snapshotVersions(directory);
  if (current === undefined) return {};
  return {
    latest: current,
    earliest: all[0]!,
    note: `snapshots at ${all.join(', ')}; newer versions are in the changelog`,
  };
}

async function flatKvFacts(directory: string): Promise<Facts> {
  const versions = await flatKvVersions(directory);
  const each = [...versions].map(([name, version]) => `${name} ${version}`).join(', ');
  return { backend: 'pebbledb', latest: Math.min(...versions.values()), note: each };
}

/** With the engine that wrote it, whatever the configuration says. */
async function storeFacts(shadow: ShadowHome, original: string, evm: boolean): Promise<Facts> {
  const directory = shadow.shadowOf(original);
  const names = await readdir(directory);
  const separateDbs = evm && names.includes('nonce');
  const owner = await ownerOf(separateDbs ? join(directory, 'nonce') : directory);
  if (owner === undefined) return { note: 'empty' };
  const backend = BACKEND[owner];
  const options = evm
    ? { backend, baseDirectory: join(shadow.home, 'no-base'), evm: { directory, separateDbs } }
    : { backend, baseDirectory: directory };
  const opened = await openStoreDatabases(options);
  const databases = evm ? opened.slice(1) : opened;
  try {
    const markers = databases.map((database) => database.markers);
    const known = markers.filter((each) => each !== undefined);
    const note = separateDbs
      ? { note: databases.map(({ name, markers: m }) => `${name} ${m?.latest ?? 'empty'}`).join(', ') }
      : {};
    if (known.length < markers.length) return { backend, note: 'never initialised' };
    return {
      backend,
      latest: Math.min(...known.map(({ latest }) => latest)),
      earliest: Math.max(...known.map(({ earliest }) => earliest)),
      ...note,
    };
  } finally {
    await Promise.all(opened.map((database) => database.close()));
  }
}

async function changelogFacts(directory: string): Promise<Facts> {
  const log = await openChangelog({ directory }, { logger: silentLogger });
  const { firstVersion, lastVersion } = log;
  await log.close();
  return { latest: lastVersion, earliest: firstVersion };
}

async function historyFacts(directory: string): Promise<Facts> {
  const extent = await historyExtent(directory);
  return { backend: 'pebbledb', ...(extent && { latest: extent.last, earliest: extent.first }) };
}

/** Bytes of all files below a directory; `undefined` when it is missing. */
async function sizeOf(directory: string): Promise<number | undefined> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (entries === undefined) return undefined;
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
