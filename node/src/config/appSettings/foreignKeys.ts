/** Keys of older releases that are refused, and what took their place (spec N-4). */
export const RETIRED_KEYS: Readonly<Record<string, string>> = {
  'state-store.evm-ss-write-mode': 'evm-ss-split = true or false',
  'state-store.evm-ss-read-mode': 'evm-ss-split = true or false',
};

/**
 * Keys of the reference's app.toml that have no effect here: accepted with a warning, so that an operator's
 * file works. `section.*` stands for a whole section and the sections below it.
 */
export const KEYS_WITHOUT_EFFECT: readonly string[] = [
  'pruning-keep-recent',
  'pruning-keep-every',
  'pruning-interval',
  'halt-time',
  'freeze-height',
  'inter-block-cache',
  'index-events',
  'iavl-cache-size',
  'iavl-disable-fastnode',
  'compaction-interval',
  'no-versioning',
  'separate-orphan-storage',
  'separate-orphan-versions-to-keep',
  'num-orphan-per-file',
  'orphan-dir',
  'concurrency-workers',
  'occ-enabled',
  'app-db-backend',
  'api.enabled-unsafe-cors',
  'grpc.skip-check-header',
  'grpc-web.*',
  'rosetta.*',
  'telemetry.*',
  'streamers.*',
  'wasm.*',
  ...['rs-backend', 'db-directory', 'async-write-buffer', 'enable-read-write-metrics'].map(inReceipts),
  inReceipts('log-filter-parallelism'),
  'eth_replay.*',
  'eth_blocktest.*',
  'evm_query.*',
  'genesis.*',
  'light_invariance.*',
  ...['sc-historical-proof-max-inflight', 'sc-historical-proof-rate-limit', 'sc-historical-proof-burst'].map(
    inCommit,
  ),
  ...['sc-async-commit-buffer', 'sc-snapshot-prefetch-threshold'].map(inCommit),
  ...['sc-snapshot-writer-limit', 'sc-write-mode', 'sc-read-mode'].map(inCommit),
  ...['sc-write-mode-enable-auto', 'sc-enable-lattice-hash', 'sc-keys-to-migrate-per-block'].map(inCommit),
  ...['sc-hash-logger-enable', 'sc-hash-logger-directory', 'sc-hash-logger-blocks-to-retain'].map(inCommit),
  ...['sc-hash-logger-target-file-size', 'sc-hash-logger-max-disk-size', 'sc-zero-copy', 'sc-cache-size'].map(
    inCommit,
  ),
  'state-commit.flatkv.*',
  ...['ss-enable-read-write-metrics', 'ss-snapshot-enable', 'ss-keep-last-version'].map(
    (key) => `state-store.${key}`,
  ),
  ...['checktx_timeout', 'enable_test_api', 'enable_parallelized_block_trace', 'rpc_stats_interval'].map(
    inEvm,
  ),
  ...['trace_bake_enabled', 'trace_bake_workers', 'trace_bake_queue_size', 'trace_bake_tracers'].map(inEvm),
  ...['trace_bake_window_blocks', 'trace_bake_use_snapshot', 'trace_bake_snapshot_window'].map(inEvm),
  ...['trusted_proxy_cidrs', 'ws_admission_timeout'].map(inEvm),
];

function inCommit(key: string): string {
  return `state-commit.${key}`;
}

function inReceipts(key: string): string {
  return `receipt-store.${key}`;
}

function inEvm(key: string): string {
  return `evm.${key}`;
}
