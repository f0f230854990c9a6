import type { ValuesOf } from '@chain/platform/settings';
import { ACCESS_SETTINGS } from './accessSettings.ts';
import { ADMIN_SETTINGS, BASE_SETTINGS, MEMPOOL_SETTINGS, NODE_SETTINGS } from './baseSettings.ts';
import { DEV_SETTINGS } from './devSettings.ts';
import { EVM_SETTINGS } from './evmSettings.ts';
import { EXPLORER_SETTINGS } from './explorerSettings.ts';
import { API_SETTINGS, GRPC_SETTINGS } from './serviceSettings.ts';
import {
  RECEIPT_STORE_SETTINGS,
  STATE_COMMIT_SETTINGS,
  STATE_STORE_SETTINGS,
  STATE_SYNC_SETTINGS,
} from './stateSettings.ts';

/** Every key of app.toml, in file order. */
export const APP_TABLE = {
  base: BASE_SETTINGS,
  node: NODE_SETTINGS,
  'state-commit': STATE_COMMIT_SETTINGS,
  'state-store': STATE_STORE_SETTINGS,
  'receipt-store': RECEIPT_STORE_SETTINGS,
  'state-sync': STATE_SYNC_SETTINGS,
  evm: EVM_SETTINGS,
  dev: DEV_SETTINGS,
  explorer: EXPLORER_SETTINGS,
  grpc: GRPC_SETTINGS,
  api: API_SETTINGS,
  'consensus-rpc': ACCESS_SETTINGS,
  mempool: MEMPOOL_SETTINGS,
  admin: ADMIN_SETTINGS,
} as const;

/** app.toml, by the names in the file: `config.evm.http_port`, `config['state-store']['ss-backend']`. */
export type AppConfig = ValuesOf<typeof APP_TABLE>;

export const SECTION_TITLES: Readonly<Record<keyof typeof APP_TABLE, string>> = {
  base: 'The node as a whole',
  node: 'Role and logging',
  'state-commit': 'State commit (SC): the tree behind the app hash',
  'state-store': 'State store (SS): history for queries',
  'receipt-store': 'Receipts, logs and results',
  'state-sync': 'Snapshots for state sync',
  evm: 'EVM JSON-RPC',
  dev: 'Development homes',
  explorer: 'Explorer: pages of the chain in a browser, at the port of JSON-RPC',
  grpc: 'gRPC',
  api: 'REST',
  'consensus-rpc': 'Access to the consensus RPC, whose other settings are in `[rpc]` of config.toml',
  mempool: 'Pending transactions',
  admin: 'Metrics and health',
};
