import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import type { AppConfig } from '../config/index.ts';

export interface StateDirectories {
  readonly base: string;
  readonly evm: string;
  readonly commit: string;
  readonly flatKv: string;
  readonly history: string;
  readonly changelog: string;
}

/** Where a configuration has its state, in the order in which to mirror it: the changelog must not be older. */
export function stateDirectories(home: string, config: AppConfig): StateDirectories {
  const store = config['state-store'];
  const commitHome = config['state-commit']['sc-directory'] || home;
  return {
    base: store['ss-db-directory'] || join(home, DATA_DIRS[store['ss-backend']]),
    evm: store['evm-ss-db-directory'] || join(home, DATA_DIRS.evmStore),
    flatKv: join(commitHome, DATA_DIRS.flatKv),
    history: join(home, DATA_DIRS.history),
    commit: join(commitHome, DATA_DIRS.memiavl),
    changelog: join(home, DATA_DIRS.changelog),
  };
}
