import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import type { NodeConfig } from '../config/index.ts';
import { type RestoreTarget, SnapshotShelf } from '../state/snapshot/index.ts';

/** Where a home's snapshots lie. */
export function shelfOf({ home, app }: Pick<NodeConfig, 'home' | 'app'>): SnapshotShelf {
  return new SnapshotShelf(app['state-sync']['snapshot-directory'] || join(home, DATA_DIRS.snapshots));
}

/** What a restore fills, as `openState` reads it afterwards. */
export function restoreTargetOf({ home, app }: NodeConfig): RestoreTarget {
  const store = app['state-store'];
  const commitHome = app['state-commit']['sc-directory'] || home;
  return {
    home,
    changelog: join(home, DATA_DIRS.changelog),
    commit: join(commitHome, DATA_DIRS.memiavl),
    flatKv: join(commitHome, DATA_DIRS.flatKv),
    base: store['ss-db-directory'] || join(home, DATA_DIRS[store['ss-backend']]),
    evm: store['evm-ss-db-directory'] || join(home, DATA_DIRS.evmStore),
    history: join(home, DATA_DIRS.history),
    backend: store['ss-backend'],
    split: store['evm-ss-split'],
    separateDbs: store['evm-ss-separate-dbs'],
  };
}
