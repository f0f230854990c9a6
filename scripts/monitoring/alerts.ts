/** One alert: when it fires, how long that must be so, how bad it is, and what a person should know and do. */
type AlertRow = readonly [
  name: string,
  expression: string,
  lasting: string,
  severity: 'warning' | 'critical',
  description: string,
];

const NODE: readonly AlertRow[] = [
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
    'increase(chain_state_snapshot_failures_total[1h]) > 0',
    '0m',
    'warning',
    '{{ $labels.pod }} could not write a snapshot; its log says why.',
  ],
  [
    'ChainPruningFails',
    'increase(chain_state_store_prune_failures_total[1h]) > 0',
    '0m',
    'warning',
    '{{ $labels.pod }} could not prune its history: the volume will fill. Its log says why.',
  ],
  [
    'ChainFlatKvFails',
    'increase(chain_state_flatkv_failures_total[1h]) > 0',
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

const LIMITER: readonly AlertRow[] = [
  [
    'ChainLimiterNodeDown',
    'chain_limiter_upstream_up == 0',
    '2m',
    'critical',
    'The node behind the limiter of {{ $labels.pod }} does not answer.',
  ],
  [
    'ChainLimiterRefusesMuch',
    'sum by (namespace, pod) (rate(chain_limiter_rejected_total{reason="limited"}[10m])) / sum by (namespace, pod) (rate(chain_limiter_requests_total[10m])) > 0.5',
    '15m',
    'warning',
    '{{ $value | humanizePercentage }} of the requests to {{ $labels.pod }} are beyond the limit: an attack, a proxy that is not in trusted-proxies, or a limit that is too low.',
  ],
  [
    'ChainLimiterFailures',
    'sum by (namespace, pod) (rate(chain_limiter_requests_total{code=~"502|503|504"}[10m])) / sum by (namespace, pod) (rate(chain_limiter_requests_total[10m])) > 0.05',
    '10m',
    'warning',
    '{{ $value | humanizePercentage }} of the requests to {{ $labels.pod }} fail at the node.',
  ],
  [
    'ChainLimiterTableFull',
    'increase(chain_limiter_evictions_total{state="active"}[10m]) > 0',
    '0m',
    'warning',
    'The limiter of {{ $labels.pod }} forgets clients that are active, which gives them a new burst: raise limit.max-clients.',
  ],
  [
    'ChainLimiterConfigRefused',
    'increase(chain_limiter_config_reloads_total{result="failed"}[15m]) > 0',
    '0m',
    'warning',
    'The limiter of {{ $labels.pod }} did not take over its changed file; its log says which line is wrong.',
  ],
];

const OPERATOR: readonly AlertRow[] = [
  [
    'ChainOperatorWithoutLeader',
    'sum by (namespace) (chain_kube_leader) < 1',
    '5m',
    'critical',
    'No operator in {{ $labels.namespace }} works: nodes are not looked after. Its pods and their logs say why.',
  ],
  [
    'ChainOperatorFails',
    'sum by (namespace, controller) (rate(chain_kube_reconciles_total{outcome="transient"}[15m])) > 0.1',
    '15m',
    'warning',
    'Looks of {{ $labels.controller }} fail again and again; the log of the operator in {{ $labels.namespace }} says why.',
  ],
  [
    'ChainNodeHeld',
    'increase(chain_controller_phases_count{phase="Held"}[30m]) > 0',
    '0m',
    'critical',
    'The migration of a node has stopped and waits for a person: kubectl get cn -A, then kubectl describe the one that is Held.',
  ],
  [
    'ChainOperatorDeaf',
    'time() - chain_kube_watch_last_activity_seconds > 600',
    '0m',
    'warning',
    '{{ $labels.pod }} has heard nothing of {{ $labels.kind }} for ten minutes.',
  ],
  [
    'ChainOperatorStalls',
    'max by (namespace, pod) (max_over_time(chain_app_event_loop_stall_seconds[10m])) > 3',
    '10m',
    'warning',
    '{{ $labels.pod }} stands still for seconds at a time, and loses its lease at ten: give it a larger CPU request.',
  ],
  [
    'ChainOperatorStuck',
    'max by (namespace, pod) (chain_app_workers_stuck_seconds) > 300',
    '0m',
    'warning',
    'Work waits in {{ $labels.pod }}, and for five minutes no worker has taken any up; at ten it is restarted.',
  ],
];

/** Alerts of the operator, for its chart. */
export const operatorRules = (): unknown => ({
  groups: [{ name: 'chain-operator', rules: OPERATOR.map(rule) }],
});

/** The PrometheusRule of the Prometheus operator. */
export function prometheusRule(): unknown {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'chain', labels: { 'app.kubernetes.io/part-of': 'chain' } },
    spec: {
      groups: [
        { name: 'chain-node', rules: NODE.map(rule) },
        { name: 'chain-rate-limiter', rules: LIMITER.map(rule) },
      ],
    },
  };
}

function rule([alert, expr, lasting, severity, description]: AlertRow): unknown {
  return { alert, expr, for: lasting, labels: { severity }, annotations: { description } };
}
