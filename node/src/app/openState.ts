import { join } from 'node:path';
import type { Lifecycle, Logger, MetricsRegistry } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import type { AppConfig } from '../config/index.ts';
import { type History, openHistory } from '../history/index.ts';
import { STORE_NAMES } from '../ledger/index.ts';
import { type Changelog, openChangelog } from '../state/changelog/index.ts';
import { openStateCommit, type StateCommit } from '../state/commit/index.ts';
import { type FlatKv, openFlatKv } from '../state/flatKv/index.ts';
import { refuseInterruptedRestore } from '../state/snapshot/index.ts';
import { openStateStore, type StateStore } from '../state/store/index.ts';

/** All that is on disk of a chain, recovered to one height. */
export interface State {
  readonly changelog: Changelog;
  readonly stateCommit: StateCommit;
  /** With `sc-flatkv = "shadow"`. */
  readonly flatKv?: FlatKv;
  readonly stateStore: StateStore;
  readonly history: History;
}

interface StateDeps {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/**
 * Opens the changelog first, for all else recovers from it; then SC, which says how far the chain is; then SS
 * with its startup checks (service.md, Errors 4); then history; then FlatKV, SC's shadow.
 */
export async function openState(
  { home, config, initialHeight }: { home: string; config: AppConfig; initialHeight: number },
  { lifecycle, logger, metrics }: StateDeps,
): Promise<State> {
  refuseInterruptedRestore(home);
  const commitConfig = config['state-commit'];
  const storeConfig = config['state-store'];
  const room = (name: string) => logger.child({ room: name });
  const commitHome = commitConfig['sc-directory'] || home;
  const changelog = lifecycle.own(
    await openChangelog(
      { directory: join(home, DATA_DIRS.changelog) },
      { logger: room('state/changelog'), metrics },
    ),
  );
  const stateCommit = lifecycle.own(
    await openStateCommit(
      {
        directory: join(commitHome, DATA_DIRS.memiavl),
        stores: STORE_NAMES,
        initialVersion: initialHeight,
        snapshotInterval: commitConfig['sc-snapshot-interval'],
        snapshotKeepRecent: commitConfig['sc-keep-recent'],
      },
      { changelog, logger: room('state/commit'), metrics },
    ),
  );
  const stateStore = lifecycle.own(
    await openStateStore(
      {
        home,
        backend: storeConfig['ss-backend'],
        split: storeConfig['evm-ss-split'],
        separateDbs: storeConfig['evm-ss-separate-dbs'],
        ...(storeConfig['ss-db-directory'] && { baseDirectory: storeConfig['ss-db-directory'] }),
        ...(storeConfig['evm-ss-db-directory'] && { evmDirectory: storeConfig['evm-ss-db-directory'] }),
        asyncWriteBuffer: storeConfig['ss-async-write-buffer'],
        keepRecent: storeConfig['ss-keep-recent'],
        pruneIntervalSeconds: storeConfig['ss-prune-interval'],
        committedVersion: stateCommit.version,
        initialVersion: initialHeight,
      },
      { changelog, logger: room('state/store'), metrics },
    ),
  );
  const history = lifecycle.own(
    await openHistory(
      { directory: join(home, DATA_DIRS.history), initialHeight, retainBlocks: retainedBlocks(config) },
      { changelog, logger: room('history'), metrics },
    ),
  );
  const state = { changelog, stateCommit, stateStore, history };
  if (commitConfig['sc-flatkv'] === 'off') return state;
  const flatKv = lifecycle.own(
    await openFlatKv(
      { directory: join(commitHome, DATA_DIRS.flatKv), stores: STORE_NAMES, initialVersion: initialHeight },
      { changelog, state: stateCommit, logger: room('state/flatKv'), metrics },
    ),
  );
  return { ...state, flatKv };
}

/** The fewest blocks that `pruning = "everything"` leaves. */
const FEWEST_BLOCKS = 1000;

/** Newest blocks that history keeps; 0 = all. */
function retainedBlocks({ base }: AppConfig): number {
  if (base.pruning === 'nothing') return 0;
  return base.pruning === 'everything' ? FEWEST_BLOCKS : base['min-retain-blocks'];
}
