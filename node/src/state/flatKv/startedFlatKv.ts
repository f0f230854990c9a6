import { mkdirSync } from 'node:fs';
import type { Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { type Changelog, type DirectoryLock, lockDirectory } from '../changelog/index.ts';
import type { FrozenRows } from '../view/index.ts';
import { type FlatKv, ShadowFlatKv } from './flatKv.ts';
import { namedDamage } from './flatKvDamaged.ts';
import { createFlatKvMetrics } from './flatKvMetrics.ts';
import { dropLeftovers } from './layout.ts';
import type { EngineLink, EngineStatus } from './thread/messages.ts';

export interface FlatKvOptions {
  readonly directory: string;
  /** Height of the chain's first block; 1 by default. */
  readonly initialVersion?: number;
  /** Bytes of blocks that may wait before `apply` does; 64 MiB by default. */
  readonly maxQueueBytes?: number;
  /** Of each database; the older tables are checked while it is used. 64 MiB by default. */
  readonly bytesCheckedAtOpen?: number;
}

export interface FlatKvDeps {
  readonly changelog: Changelog;
  /** SC, recovered: the version to come to, and the rows when the changelog does not reach back far enough. */
  readonly state: { readonly version: number; freezeRows(): FrozenRows };
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

const DEFAULT_QUEUE_BYTES = 64 << 20;

/** Of a store whose databases are being opened. Throws DIRECTORY_LOCKED. */
export class StartedFlatKv {
  readonly #options: FlatKvOptions;
  readonly #lock: DirectoryLock;
  readonly #thread: EngineLink;
  readonly #found: Promise<EngineStatus>;
  #isHandedOver = false;

  constructor(connect: () => EngineLink, options: FlatKvOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true });
    this.#lock = lockDirectory(options.directory);
    try {
      dropLeftovers(options.directory);
      this.#thread = connect();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    this.#found = this.#thread.call({ kind: 'open' });
    // `recover` throws it; nobody does when something else has failed before.
    this.#found.catch(() => undefined);
  }

  /** Hands the store over; closes it when that fails. Throws what `openFlatKv` does. */
  async recover(deps: FlatKvDeps): Promise<FlatKv> {
    const thread = this.#thread;
    try {
      const found = await this.#found;
      const flatKv = await recover(this.#options, deps, { found, thread, lock: this.#lock });
      this.#isHandedOver = true;
      return flatKv;
    } catch (error) {
      await this.close();
      throw namedDamage(this.#options.directory, error);
    }
  }

  /** Does nothing once the store is handed over. */
  async close(): Promise<void> {
    if (this.#isHandedOver) return;
    this.#isHandedOver = true;
    await this.#thread.close().catch(() => undefined);
    this.#lock.release();
  }
}

interface OpenedEngine {
  readonly found: EngineStatus;
  readonly thread: EngineLink;
  readonly lock: DirectoryLock;
}

async function recover(
  options: FlatKvOptions,
  deps: FlatKvDeps,
  { found, thread, lock }: OpenedEngine,
): Promise<FlatKv> {
  const { directory, maxQueueBytes = DEFAULT_QUEUE_BYTES } = options;
  const { changelog, state, logger } = deps;
  const started = performance.now();
  const from = replayStart(found, options, deps);
  const flatKv = new ShadowFlatKv(
    { directory, status: found, maxQueueBytes },
    { thread, lock, logger, metrics: createFlatKvMetrics(deps.metrics) },
  );
  if (from === undefined) {
    tellOfRebuild(found, deps);
    // Before the chain goes on: it may come as far again as the store that is dropped here.
    await thread.call({ kind: 'rebuild' });
    const version = committedVersion(options, deps);
    const next = version === 0 ? firstVersion(options) : version + 1;
    flatKv.rebuild({ ...state.freezeRows(), version }, changelog, next);
    return flatKv;
  }
  const { version } = state;
  if (from <= version) {
    for (const { changes } of changelog.read(from, version)) await flatKv.apply(changes);
  }
  const ms = Math.round(performance.now() - started);
  logger.info('FlatKV is open', { version, found: found.version, ms });
  return flatKv;
}

const firstVersion = ({ initialVersion = 1 }: FlatKvOptions): number => initialVersion;

/** SC's, 0 before the chain's first block. */
const committedVersion = (options: FlatKvOptions, { state: { version } }: FlatKvDeps): number =>
  version < firstVersion(options) ? 0 : version;

/** The first version to replay, above SC's when there is none; `undefined` when only a rebuild helps. */
function replayStart(
  { version: found, newestVersion }: EngineStatus,
  options: FlatKvOptions,
  deps: FlatKvDeps,
): number | undefined {
  const { changelog } = deps;
  const committed = committedVersion(options, deps);
  const from = found === 0 ? firstVersion(options) : found + 1;
  // A rollback that was cut short: blocks are given only once the changelog has them.
  if (newestVersion > committed) return undefined;
  if (found === committed) return from;
  const joins = changelog.lastVersion >= committed && changelog.firstVersion <= from;
  return found < committed && joins && changelog.firstVersion > 0 ? from : undefined;
}

function tellOfRebuild(found: EngineStatus, { state: { version }, logger }: FlatKvDeps): void {
  if (found.version === 0) {
    logger.info('FlatKV is made from the state while the chain goes on', { version });
    return;
  }
  const isAhead = found.newestVersion > version;
  const why = isAhead ? 'it is ahead' : 'the changelog does not join it';
  logger.warn(`FlatKV is rebuilt from the state: ${why}`, { found: found.version, version });
}
