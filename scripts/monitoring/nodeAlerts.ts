import { type AlertRow, grew } from './alertRow.ts';

export const NODE_ALERTS: readonly AlertRow[] = [
  [
    'ChainNodeStale',
    'chain_app_block_age_seconds > 60',
    '5m',
    'warning',
    'The newest block of {{ $labels.pod }} is {{ $value | humanizeDuration }} old. Its /readyz says whether it is syncing or stalled.',
  ],
  [
    'ChainStopped',
    'min by (namespace) (chain_app_block_age_seconds) > 60',
    '3m',
    'critical',
    'No node in {{ $labels.namespace }} has a block younger than a minute: look at the validators and their peers.',
  ],
  [
    'ChainNodeNotReady',
    'chain_app_ready_count == 0',
    '15m',
    'warning',
    '{{ $labels.pod }} has taken no traffic for 15 minutes; its /readyz says why.',
  ],
  [
    'ChainNodeWritesLate',
    'chain_history_queued_blocks > 100 or chain_state_flatkv_waiting_blocks > 100',
    '10m',
    'warning',
    'Stores of {{ $labels.pod }} are {{ $value }} blocks behind the changelog: the disk is too slow.',
  ],
  [
    'ChainSnapshotsFail',
    grew('chain_state_snapshot_failures_total', '1h'),
    '0m',
    'warning',
    '{{ $labels.pod }} could not write a snapshot; its log says why.',
  ],
  [
    'ChainPruningFails',
    grew('chain_state_store_prune_failures_total', '1h'),
    '0m',
    'warning',
    '{{ $labels.pod }} could not prune its history: the volume will fill. Its log says why.',
  ],
  [
    'ChainFlatKvFails',
    grew('chain_state_flatkv_failures_total', '1h'),
    '0m',
    'warning',
    'The FlatKV shadow of {{ $labels.pod }} failed; it is built anew at the next start.',
  ],
  [
    'ChainRpcFails',
    'sum by (namespace, pod) (rate(chain_rpc_errors_total{code="-32603"}[10m])) / sum by (namespace, pod) (rate(chain_rpc_requests_total[10m])) > 0.05',
    '10m',
    'warning',
    '{{ $value | humanizePercentage }} of the JSON-RPC calls of {{ $labels.pod }} end with an internal error.',
  ],
  [
    'ChainCallsRefused',
    'rate(chain_threads_refused_total[10m]) > 0',
    '10m',
    'warning',
    '{{ $labels.pod }} refuses long calls, for its worker threads are all taken: raise worker_pool_size or add nodes.',
  ],
];
