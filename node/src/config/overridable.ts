import type { EnvironmentNames } from '@chain/platform/settings';
import { APP_TABLE } from './appSettings/appTable.ts';
import { COMET_TABLE } from './cometSettings.ts';

const { rpc, p2p, statesync } = COMET_TABLE;
/** What the environment and flags may set: all of app.toml, and of config.toml the consensus RPC, peers and state sync. */
export const OVERRIDABLE = { ...APP_TABLE, rpc, p2p, statesync };

/** CHAIND_HOME and CHAIND_DEBUG are the command line's own. */
export const ENVIRONMENT: EnvironmentNames = {
  prefix: 'CHAIND_',
  reserved: ['CHAIND_HOME', 'CHAIND_DEBUG'],
};
