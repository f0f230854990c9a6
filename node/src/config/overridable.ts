import type { EnvironmentNames } from '@chain/platform/settings';
import { APP_TABLE } from './appSettings/appTable.ts';
import { COMET_TABLE } from './cometSettings.ts';

/** What the environment and flags may set: all of app.toml, and the consensus RPC of config.toml. */
export const OVERRIDABLE = { ...APP_TABLE, rpc: COMET_TABLE.rpc };

/** CHAIND_HOME and CHAIND_DEBUG are the command line's own. */
export const ENVIRONMENT: EnvironmentNames = {
  prefix: 'CHAIND_',
  reserved: ['CHAIND_HOME', 'CHAIND_DEBUG'],
};
