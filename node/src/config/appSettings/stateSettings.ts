import { boolean, choice, inert, integer, mustBeTrue, text } from '@chain/platform/settings';

/** The layer that makes the app hash. */
export const STATE_COMMIT_SETTINGS = {
  'sc-enable': mustBeTrue('State commit, the source of the app hash'),
  'sc-directory': text(
    '',
    'Directory that replaces the home as parent of the state-commit data; empty = home',
  ),
  'sc-snapshot-interval': integer(10_000, 'Blocks between snapshots of the tree on disk', {
    unit: 'blocks',
    min: 1,
  }),
  'sc-snapshot-min-time-interval': integer(0, 'Time that at least passes between two of them; 0 = none', {
    unit: 'seconds',
  }),
  'sc-snapshot-write-rate-mbps': integer(100, 'Speed at which a snapshot is written; 0 = no limit', {
    unit: 'MB/s',
  }),
  'sc-keep-recent': integer(1, 'Snapshots kept besides the newest', { min: 0 }),
  'sc-provable-versions': integer(128, 'Newest versions that stay readable in memory for `eth_getProof`', {
    unit: 'versions',
    min: 2,
  }),
  'sc-flatkv': choice(
    ['shadow', 'off'],
    'shadow',
    'FlatKV, flat rows with a lattice hash beside the tree, on a thread of its own; `off` spares small machines',
  ),
} as const;

/** The layer that answers historical queries. */
export const STATE_STORE_SETTINGS = {
  'ss-enable': mustBeTrue('State store, the history that queries read'),
  'ss-db-directory': text('', 'Directory of the base database; empty = `data/<ss-backend>`'),
  'ss-backend': choice(
    ['pebbledb', 'rocksdb'],
    'pebbledb',
    'Database of the base store and of every EVM store',
  ),
  'ss-async-write-buffer': integer(
    100,
    'Blocks that may wait to be written behind the changelog; 0 writes before the next block',
    { unit: 'blocks' },
  ),
  'ss-keep-recent': integer(100_000, 'Versions kept for historical queries; 0 keeps all', {
    unit: 'versions',
    defaultByMode: { archive: 0 },
  }),
  'ss-prune-interval': integer(600, 'Time between two prunings; 0 = never', { unit: 'seconds' }),
  ...inert({
    'ss-import-num-workers': integer(
      1,
      'Writers of a state-sync import: one thread here gives rows to the databases, whose own threads write them',
      { min: 1 },
    ),
  }),
  'evm-ss-db-directory': text('', 'Directory of the EVM store; empty = `data/evm_ss`'),
  'evm-ss-split': boolean(
    false,
    'Keep EVM state in its own store and nowhere else; a change needs a state sync',
    {
      rule: 'only with mode `rpc`, or in a development home',
    },
  ),
  'evm-ss-separate-dbs': boolean(false, 'One database for each kind of EVM row instead of one for all'),
} as const;

/** Receipts, logs and results, which may go before their blocks. */
export const RECEIPT_STORE_SETTINGS = {
  'keep-recent': integer(
    0,
    'Newest blocks whose receipts, logs and results are kept; 0 = as long as the block',
    {
      unit: 'blocks',
      rule: '0, or at least 256: clients look back so far',
    },
  ),
  'prune-interval-seconds': integer(600, 'Time between two prunings; 0 = never', { unit: 'seconds' }),
} as const;

/** Snapshots that other nodes can state sync from. */
export const STATE_SYNC_SETTINGS = {
  'snapshot-interval': integer(0, 'Blocks between snapshots that others can state sync from; 0 makes none', {
    unit: 'blocks',
  }),
  'snapshot-keep-recent': integer(2, 'Newest snapshots kept; 0 keeps all'),
  'snapshot-directory': text('', 'Directory of the snapshots; empty = `data/snapshots`'),
} as const;
