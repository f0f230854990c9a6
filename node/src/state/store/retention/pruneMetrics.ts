import type { MetricsRegistry } from '@chain/platform/metrics';

export interface PruneMetrics {
  pruned(earliest: number, keys: number, seconds: number): void;
  failed(): void;
}

const BUCKETS = [0.01, 0.1, 0.5, 1, 5, 10, 60, 600];

export function createPruneMetrics(registry: MetricsRegistry | undefined): PruneMetrics {
  const earliest = registry?.gauge({
    name: 'chain_state_store_earliest_version',
    help: 'Oldest version that SS answers for.',
  });
  const keys = registry?.counter({
    name: 'chain_state_store_pruned_keys_total',
    help: 'Keys that prunes of SS have visited.',
  });
  const duration = registry?.histogram({
    name: 'chain_state_store_prune_seconds',
    help: 'Time of one prune of SS.',
    buckets: BUCKETS,
  });
  const failures = registry?.counter({
    name: 'chain_state_store_prune_failures_total',
    help: 'Prunes of SS that failed.',
  });
  return {
    pruned: (version, visited, seconds) => {
      earliest?.set(version);
      keys?.add(visited);
      duration?.observe(seconds);
    },
    failed: () => failures?.add(1),
  };
}
