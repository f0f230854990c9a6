/** Directories under `<home>` (spec N-2). */
export const DATA_DIRS = {
  pebbledb: 'data/pebbledb',
  rocksdb: 'data/rocksdb',
  evmStore: 'data/evm_ss',
  memiavl: 'data/committer.db',
  flatKv: 'data/flatkv',
  changelog: 'data/changelog',
  snapshots: 'data/snapshots',
  history: 'data/history',
} as const;

/** Under `<home>`: what a node makes of code that it has run. It may be deleted at any time. */
export const CACHE_DIR = 'cache';

/** Files under `<home>` that an operator knows by name. */
export const CONFIG_FILES = {
  appToml: 'config/app.toml',
  configToml: 'config/config.toml',
  genesis: 'config/genesis.json',
  nodeKey: 'config/node_key.json',
  validatorKey: 'config/priv_validator_key.json',
  validatorState: 'data/priv_validator_state.json',
} as const;
