import { mkdirSync } from 'node:fs';
import type { Logger, MetricsRegistry } from '@chain/platform';
import { logTableCheck } from '../../db/index.ts';
import { type Changelog, type DirectoryLock, lockDirectory } from '../changelog/index.ts';
import type { RangeReads } from '../view/index.ts';
import { type FlatKv, ShadowFlatKv } from './flatKv.ts';
import { namedDamage } from './flatKvDamaged.ts';
import { createFlatKvMetrics } from './flatKvMetrics.ts';
import { dropBuilding } from './layout.ts';
import { rebuild } from './rebuild.ts';
import { EngineThreadClient } from './thread/engineThreadClient.ts';
import type { EngineLink, EngineStatus } from './thread/messages.ts';

export interface FlatKvOptions {
  readonly directory: string;
  /** Names of all stores of the state. */
  readonly stores: readonly string[];
  /** Height of the chain's first block; 1 by default. */
  readonly initialVersion?: number;
  /** Bytes of blocks that may wait before `apply` does; 64 MiB by default. */
  readonly maxQueueBytes?: number;
  /** Versions between two syncs; 100 by default. */
  readonly syncInterval?: number;
  /** Of each database; the older tables are checked while it is used. 64 MiB by default. */
  readonly bytesCheckedAtOpen?: number;
}

export interface FlatKvDeps {
  readonly changelog: Changelog;
  /** SC, recovered: the version to come to, and the rows when the changelog does not reach back far enough. */
  readonly state: RangeReads & { readonly version: number };
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

const DEFAULT_QUEUE_BYTES = 64 << 20;
const DEFAULT_SYNC_INTERVAL = 100;

/**
 * Opens or creates FlatKV and brings it to SC's version: by replaying the changelog from the lowest of the four
 * databases, or, when the changelog does not join them (switched on late, a restore, a rollback), by a rebuild
 * from SC's rows. Throws DIRECTORY_LOCKED, DB_…, FLATKV_DAMAGED and other FLATKV_… .
 */
export function openFlatKv(options: FlatKvOptions, deps: FlatKvDeps): Promise<FlatKv> {
  const { bytesCheckedAtOpen } = options;
  const onTablesChecked = logTableCheck(deps.logger);
  const connect = (directory: string): EngineLink =>
    new EngineThreadClient({ directory, bytesCheckedAtOpen }, { onTablesChecked });
  return openFlatKvOver(connect, options, deps);
}

/** The same with the store's whereabouts as given. */
export async function openFlatKvOver(
  connect: (directory: string) => EngineLink,
  options: FlatKvOptions,
  deps: FlatKvDeps,
): Promise<FlatKv> {
  mkdirSync(options.directory, { recursive: true });
  const lock = lockDirectory(options.directory);
  let thread: EngineLink | undefined;
  try {
    dropBuilding(options.directory);
    thread = connect(options.directory);
    return await recover(options, deps, { thread, lock });
  } catch (error) {
    await thread?.close().catch(() => undefined);
    lock.release();
    throw namedDamage(options.directory, error);
  }
}

async function recover(
  options: FlatKvOptions,
  deps: FlatKvDeps,
  { thread, lock }: { readonly thread: EngineLink; readonly lock: DirectoryLock },
): Promise<FlatKv> {
  const { directory, maxQueueBytes = DEFAULT_QUEUE_BYTES, syncInterval = DEFAULT_SYNC_INTERVAL } = options;
  const { changelog, state, logger } = deps;
  const started = performance.now();
  const found = await thread.call({ kind: 'open' });
  const from = replayStart(found, options, deps);
  const status = from === undefined ? await rebuildAt(found, options, { ...deps, thread }) : found;
  const metrics = createFlatKvMetrics(deps.metrics);
  const flatKv = new ShadowFlatKv(
    { directory, status, maxQueueBytes, syncInterval },
    { thread, lock, logger, metrics },
  );
  const { version } = state;
  if (from !== undefined && from <= version) {
    for (const { changes } of changelog.read(from, version)) await flatKv.apply(changes);
  }
  const ms = Math.round(performance.now() - started);
  logger.info('FlatKV is open', { version, found: found.version, rebuilt: from === undefined, ms });
  return flatKv;
}

/** The first version to replay, above SC's when there is none; `undefined` when only a rebuild helps. */
function replayStart(
  { version: found, newestVersion }: EngineStatus,
  { initialVersion = 1 }: FlatKvOptions,
  { changelog, state }: FlatKvDeps,
): number | undefined {
  const committed = state.version < initialVersion ? 0 : state.version;
  const from = found === 0 ? initialVersion : found + 1;
  // A rollback that was cut short: blocks are given only once the changelog has them.
  if (newestVersion > committed) return undefined;
  if (found === committed) return from;
  const joins = changelog.lastVersion >= committed && changelog.firstVersion <= from;
  return found < committed && joins && changelog.firstVersion > 0 ? from : undefined;
}

async function rebuildAt(
  found: EngineStatus,
  { stores, initialVersion = 1 }: FlatKvOptions,
  { state, thread, logger }: FlatKvDeps & { readonly thread: EngineLink },
): Promise<EngineStatus> {
  const version = state.version < initialVersion ? 0 : state.version;
  if (found.version === 0) logger.info('FlatKV is made from the state', { version });
  else {
    const isAhead = found.newestVersion > version;
    logger.warn(
      `FlatKV is rebuilt from the state: ${isAhead ? 'it is ahead' : 'the changelog does not join it'}`,
      {
        found: found.version,
        version,
      },
    );
  }
  return rebuild(thread, { version, stores, state });
}
