import type { MetricsRegistry } from '@chain/platform/metrics';

/** Metrics that all controllers of a program share. */
export type RuntimeMetrics = ReturnType<typeof runtimeMetrics>;

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30] as const;

export function runtimeMetrics(registry: MetricsRegistry) {
  const labels = ['controller'] as const;
  return {
    reconciles: registry.counter({
      name: 'chain_kube_reconciles_total',
      help: 'Reconciliations by controller and outcome: done, conflict, terminal, transient.',
      labels: ['controller', 'outcome'],
    }),
    duration: registry.histogram({
      name: 'chain_kube_reconcile_duration_seconds',
      help: 'Time that a reconciliation took.',
      labels,
      buckets: BUCKETS,
    }),
    latency: registry.histogram({
      name: 'chain_kube_queue_latency_seconds',
      help: 'Time that a key waited in the queue.',
      labels,
      buckets: BUCKETS,
    }),
    added: registry.counter({
      name: 'chain_kube_queue_adds_total',
      help: 'Keys added to the queue.',
      labels,
    }),
    retried: registry.counter({
      name: 'chain_kube_queue_retries_total',
      help: 'Keys added again after a failure.',
      labels,
    }),
    depth: registry.gauge({ name: 'chain_kube_queue_depth_keys', help: 'Keys that wait.', labels }),
    running: registry.gauge({
      name: 'chain_kube_reconciles_running',
      help: 'Reconciliations under way.',
      labels,
    }),
    watchAlive: registry.gauge({
      name: 'chain_kube_watch_last_activity_seconds',
      help: 'Unix time at which the watch of a kind was last alive.',
      labels: ['kind'],
    }),
    events: registry.counter({
      name: 'chain_kube_events_total',
      help: 'Events about objects by what became of them: written, counted, dropped, failed.',
      labels: ['result'],
    }),
    leader: registry.gauge({ name: 'chain_kube_leader', help: '1 while this process leads.' }),
  };
}
