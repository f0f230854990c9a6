import { join } from 'node:path';
import { CodedError, Lifecycle, type Logger } from '@chain/platform';
import { DATA_DIRS, STARTUP_LINES } from '@chain/platform/contract';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { type DbBackend, logTableCheck, openKeyValueDb, requireBackend } from '../../db/index.ts';
import type { Changelog } from '../changelog/index.ts';
import { EVM_FAMILIES, type EvmFamily } from '../schema/index.ts';
import { createEvmStore } from './evmStore.ts';
import { MvccStore } from './mvccStore.ts';
import { recover, withoutData } from './recovery.ts';
import { healFloors } from './retention/floors.ts';
import { createPruneMetrics } from './retention/pruneMetrics.ts';
import { Pruner } from './retention/pruner.ts';
import { checkEarliestVersions, checkEvmDirectory, checkEvmNotEmpty, entriesOf } from './startupChecks.ts';
import type { EvmStore } from './stateMember.ts';
import type { StateStore } from './stateStore.ts';
import { type Sides, StoreRouter, sidesOf } from './storeRouter.ts';
import { WriteBehind } from './writeBehind.ts';

export interface StateStoreOptions {
  readonly home: string;
  /** `ss-backend`: the base SS and every database of the EVM SS. */
  readonly backend: DbBackend;
  /** `evm-ss-split`. */
  readonly split: boolean;
  /** `evm-ss-separate-dbs`. */
  readonly separateDbs: boolean;
  readonly baseDirectory?: string;
  readonly evmDirectory?: string;
  /** Blocks that may wait behind `apply`; 0 = each is on disk when `apply` resolves. */
  readonly asyncWriteBuffer: number;
  /** What SC is at; 0 before the first block. */
  readonly committedVersion: number;
  /** Height of the chain's first block; 1 by default. */
  readonly initialVersion?: number;
  /** `ss-keep-recent`: versions kept; 0, the default, keeps all. */
  readonly keepRecent?: number;
  /** `ss-prune-interval`; 0, the default, prunes only when asked to. */
  readonly pruneIntervalSeconds?: number;
  /** Deleted bytes after which a database is compacted. */
  readonly compactAfterBytes?: number;
  /** Bytes for the database's blocks and for heads of keys, of each store. */
  readonly blockCacheBytes?: number;
  readonly headCacheBytes?: number;
}

export interface StateStoreDeps {
  readonly changelog: Changelog;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Opens each database; the engine of `backend` by default. */
  readonly openDb?: typeof openKeyValueDb;
}

/**
 * Opens SS, checks that its stores belong together and brings them to the changelog's end. A failed start
 * closes what it opened. Throws the errors of startupChecks.ts and recovery.ts, STORE_OPTION, DB_*.
 */
export async function openStateStore(options: StateStoreOptions, deps: StateStoreDeps): Promise<StateStore> {
  requireOptions(options);
  const opened = new Lifecycle();
  try {
    return await open(options, deps, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(
  options: StateStoreOptions,
  deps: StateStoreDeps,
  opened: Lifecycle,
): Promise<StateStore> {
  const { changelog, logger, metrics } = deps;
  const openDb: typeof openKeyValueDb = (wanted) =>
    (deps.openDb ?? openKeyValueDb)({ ...wanted, onTablesChecked: logTableCheck(logger) });
  logger.info(STARTUP_LINES.storeEnabled, { backend: options.backend });
  if (options.split) {
    logger.info(STARTUP_LINES.evmOptimizationEnabled, { separateDBs: options.separateDbs });
  }
  const { committedVersion, initialVersion = 1 } = options;
  const baseDirectory = options.baseDirectory ?? join(options.home, DATA_DIRS[options.backend]);
  await requireDataFor(committedVersion, baseDirectory, changelog, initialVersion);
  const base = opened.own(await openMvcc(options, { openDb, directory: baseDirectory }));
  const evmDirectory = options.evmDirectory ?? join(options.home, DATA_DIRS.evmStore);
  const sides: Sides = options.split
    ? { base, evm: await openEvm(options, { base, evmDirectory, logger, openDb }, opened) }
    : { base };
  if (!options.split) await finishMove({ base }, logger);
  await Promise.all(sidesOf(sides).map(({ member }) => member.initialise()));
  const replayed = await recover(sidesOf(sides), changelog, { committedVersion, initialVersion });
  if (replayed > 0) logger.info('state store recovered from the changelog', { blocks: replayed });
  if (sides.evm) checkEarliestVersions(base.markers!, sides.evm.markers!);
  else await warnOfUnusedEvm(evmDirectory, logger);
  const durable = metrics?.gauge({
    name: 'chain_state_store_durable_version',
    help: 'Newest version that is synced in every database of SS.',
  });
  const version = base.markers!.latest;
  durable?.set(version);
  const writer: WriteBehind = new WriteBehind(
    { version },
    {
      members: sidesOf(sides).map(({ member }) => member),
      onWritten: (written) => durable?.set(written),
    },
  );
  const pruner = openPruner(options, { ...sides, durableVersion: () => writer.written, logger, metrics });
  return new StoreRouter(
    { asyncWriteBuffer: options.asyncWriteBuffer, version },
    { ...sides, writer, pruner },
  );
}

const COMPACT_AFTER_BYTES = 32 << 20;

function openPruner(
  { keepRecent = 0, pruneIntervalSeconds = 0, compactAfterBytes = COMPACT_AFTER_BYTES }: StateStoreOptions,
  deps: Sides & { durableVersion: () => number; logger: Logger; metrics: MetricsRegistry | undefined },
): Pruner {
  const pruner = new Pruner(
    { keepRecent, intervalSeconds: pruneIntervalSeconds, compactAfterBytes },
    { ...deps, metrics: createPruneMetrics(deps.metrics) },
  );
  pruner.start();
  return pruner;
}

async function finishMove(stores: Parameters<typeof healFloors>[0], logger: Logger): Promise<void> {
  const earliest = await healFloors(stores);
  if (earliest === undefined) return;
  logger.info('State store has finished a prune that was cut short: both floors are moved', { earliest });
}

function requireOptions({ asyncWriteBuffer, backend }: StateStoreOptions): void {
  requireBackend(backend);
  if (Number.isSafeInteger(asyncWriteBuffer) && asyncWriteBuffer >= 0) return;
  throw new CodedError(
    'STORE_OPTION',
    `ss-async-write-buffer = ${asyncWriteBuffer} is not a number of blocks; write 0 for synchronous writes, or a positive whole number`,
    { fields: { asyncWriteBuffer } },
  );
}

/** Before the base directory is made: an empty store beside a committed SC needs the whole changelog. */
async function requireDataFor(
  committedVersion: number,
  directory: string,
  { firstVersion }: Changelog,
  initialVersion: number,
): Promise<void> {
  if (committedVersion < initialVersion || (firstVersion > 0 && firstVersion <= initialVersion)) return;
  const entries = await entriesOf(directory);
  if (entries === undefined || entries.length === 0) throw withoutData(committedVersion, firstVersion);
}

/** Rewriting tables costs more than all else of a write (docs/decisions/0001), and less the larger each new one is. */
const WRITE_BUFFER_BYTES = 64 << 20;

interface Place {
  readonly openDb: typeof openKeyValueDb;
  readonly directory: string;
}

async function openMvcc(
  options: StateStoreOptions,
  { openDb, directory }: Place,
  share = 1,
): Promise<MvccStore> {
  const { backend, blockCacheBytes = 128 << 20, headCacheBytes = 64 << 20, keepRecent = 0 } = options;
  const db = await openDb({
    backend,
    directory,
    cacheBytes: Math.ceil(blockCacheBytes / share),
    writeBufferBytes: Math.ceil(WRITE_BUFFER_BYTES / share),
    shared: true,
  });
  try {
    return new MvccStore(
      { headCacheBytes: Math.ceil(headCacheBytes / share), listSuperseded: keepRecent > 0 },
      { db },
    );
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openEvm(
  options: StateStoreOptions,
  context: Pick<Place, 'openDb'> & {
    readonly base: MvccStore;
    readonly evmDirectory: string;
    readonly logger: Logger;
  },
  opened: Lifecycle,
): Promise<EvmStore> {
  const { base, evmDirectory, logger, openDb } = context;
  const place = { openDb, directory: evmDirectory };
  await checkEvmDirectory(evmDirectory, base.markers);
  await requireSamePlacement(evmDirectory, options.separateDbs);
  const evm = createEvmStore(
    options.separateDbs
      ? await openFamilies(options, place, opened)
      : opened.own(await openMvcc(options, place)),
  );
  logger.info(STARTUP_LINES.evmStoreEnabled, { dir: evmDirectory, separateDBs: options.separateDbs });
  await finishMove({ base, evm }, logger);
  checkEvmNotEmpty(evmDirectory, base.markers, evm.markers);
  return evm;
}

async function openFamilies(
  options: StateStoreOptions,
  { openDb, directory }: Place,
  opened: Lifecycle,
): Promise<Map<EvmFamily, MvccStore>> {
  const families = new Map<EvmFamily, MvccStore>();
  for (const family of EVM_FAMILIES) {
    const place = { openDb, directory: join(directory, family) };
    const store = await openMvcc(options, place, EVM_FAMILIES.length);
    families.set(family, opened.own(store));
  }
  return families;
}

/** One database and one for each family are not convertible: a store of the other kind is left untouched. */
async function requireSamePlacement(directory: string, separateDbs: boolean): Promise<void> {
  const entries = (await entriesOf(directory)) ?? [];
  const separate = EVM_FAMILIES.some((family) => entries.includes(family));
  const single = entries.includes('CURRENT');
  if (separateDbs ? !single : !separate) return;
  throw new CodedError(
    'STORE_EVM_PLACEMENT',
    `EVM SS directory "${directory}" was written with evm-ss-separate-dbs = ${!separateDbs}; set it back, or remove the directory and state sync`,
    { fields: { directory, separateDbs } },
  );
}

async function warnOfUnusedEvm(directory: string, logger: Logger): Promise<void> {
  const entries = (await entriesOf(directory)) ?? [];
  if (entries.length === 0) return;
  logger.warn(
    'EVM state store is left on disk unused; EVM reads miss what was written while it was split: the clean way back is a state sync with evm-ss-split = false',
    { dir: directory },
  );
}
