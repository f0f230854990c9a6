import type { DashboardTable } from './dashboard.ts';

const OF = '{namespace=~"$namespace",pod=~"$pod"}';
const rate = (metric: string) => `rate(${metric}${OF}[$__rate_interval])`;
const quantile = (q: number, metric: string, by: string) =>
  `histogram_quantile(${q}, sum by (le, ${by}) (${rate(`${metric}_bucket`)}))`;

export const NODE_DASHBOARD: DashboardTable = {
  uid: 'chain-node',
  title: 'Chain / Node',
  pods: 'chain_chain_height_blocks',
  rows: {
    Chain: [
      ['Height', 'none', [`chain_chain_height_blocks${OF}`, '{{pod}}']],
      ['Age of the newest block', 's', [`chain_app_block_age_seconds${OF}`, '{{pod}}']],
      ['Ready', 'none', [`chain_app_ready_count${OF}`, '{{pod}}']],
      [
        'Transactions a second',
        'ops',
        [`sum by (pod) (${rate('chain_chain_transactions_total')})`, '{{pod}}'],
      ],
      ['Gas a second', 'none', [`sum by (pod) (${rate('chain_chain_gas_total')})`, '{{pod}}']],
      [
        'Time of a block by phase, p95',
        's',
        [quantile(0.95, 'chain_chain_phase_seconds', 'phase'), '{{phase}}'],
      ],
    ],
    'EVM JSON-RPC': [
      ['Calls a second', 'ops', [`sum by (method) (${rate('chain_rpc_requests_total')})`, '{{method}}']],
      [
        'Errors a second',
        'ops',
        [`sum by (method, code) (${rate('chain_rpc_errors_total')})`, '{{method}} {{code}}'],
      ],
      ['Time, p95', 's', [quantile(0.95, 'chain_rpc_duration_seconds', 'method'), '{{method}}']],
      ['WebSocket connections', 'none', [`chain_rpc_websocket_connections_count${OF}`, '{{pod}}']],
      ['Subscriptions', 'none', [`sum by (pod) (chain_rpc_subscriptions_count${OF})`, '{{pod}}']],
      [
        'Worker threads',
        'none',
        [`chain_threads_running_count${OF}`, '{{pod}} running'],
        [`sum by (pod) (chain_threads_queued_jobs${OF})`, '{{pod}} queued'],
      ],
    ],
    'Consensus RPC, gRPC, REST': [
      [
        'Consensus RPC, time p95',
        's',
        [quantile(0.95, 'chain_cometrpc_duration_seconds', 'method'), '{{method}}'],
      ],
      ['gRPC calls a second', 'ops', [`sum by (method) (${rate('chain_grpc_calls_total')})`, '{{method}}']],
      [
        'REST requests a second',
        'ops',
        [`sum by (status) (${rate('chain_rest_requests_total')})`, '{{status}}'],
      ],
    ],
    Mempool: [
      ['Transactions that wait', 'none', [`chain_mempool_size_count${OF}`, '{{pod}}']],
      ['Bytes that wait', 'bytes', [`chain_mempool_size_bytes${OF}`, '{{pod}}']],
      [
        'Added and refused a second',
        'ops',
        [`sum by (pod) (${rate('chain_mempool_added_total')})`, '{{pod}} added'],
        [`sum by (code) (${rate('chain_mempool_rejected_total')})`, '{{code}}'],
      ],
    ],
    State: [
      [
        'Changelog append, p95',
        's',
        [quantile(0.95, 'chain_state_changelog_append_seconds', 'pod'), '{{pod}}'],
      ],
      ['SC apply, p95', 's', [quantile(0.95, 'chain_state_commit_apply_seconds', 'pod'), '{{pod}}']],
      [
        'Blocks behind the changelog',
        'none',
        [`chain_history_queued_blocks${OF}`, '{{pod}} history'],
        [`chain_state_flatkv_waiting_blocks${OF}`, '{{pod}} FlatKV'],
      ],
      ['Newest snapshot of SC', 'none', [`chain_state_commit_snapshot_version${OF}`, '{{pod}}']],
      ['Oldest version of SS', 'none', [`chain_state_store_earliest_version${OF}`, '{{pod}} {{store}}']],
      [
        'Keys pruned a second',
        'ops',
        [`sum by (pod) (${rate('chain_state_store_pruned_keys_total')})`, '{{pod}}'],
      ],
    ],
    Process: [
      ['Processor', 'percentunit', [rate('process_cpu_seconds_total'), '{{pod}}']],
      [
        'Memory',
        'bytes',
        [`process_resident_memory_bytes${OF}`, '{{pod}} resident'],
        [`nodejs_heap_size_used_bytes${OF}`, '{{pod}} heap'],
      ],
      ['Delay of the event loop, p99', 's', [`nodejs_eventloop_lag_p99_seconds${OF}`, '{{pod}}']],
    ],
  },
};
