import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import type { NodeConfig } from '../config/index.ts';
import { type RestoreTarget, SnapshotShelf } from '../state/snapshot/index.ts';
import { stateDirectories } from './stateDirectories.ts';

/** Where a home's snapshots lie. */
export function shelfOf({ home, app }: Pick<NodeConfig, 'home' | 'app'>): SnapshotShelf {
  return new SnapshotShelf(app['state-sync']['snapshot-directory'] || join(home, DATA_DIRS.snapshots));
}

/** What a restore fills, as `openState` reads it afterwards. */
export function restoreTargetOf({ home, app }: NodeConfig): RestoreTarget {
  const store = app['state-store'];
  return {
    home,
    ...stateDirectories(home, app),
    backend: store['ss-backend'],
    split: store['evm-ss-split'],
    separateDbs: store['evm-ss-separate-dbs'],
  };
}
