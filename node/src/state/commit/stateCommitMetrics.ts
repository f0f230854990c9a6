import type { MetricsRegistry } from '@chain/platform/metrics';
import type { BlockChanges } from '../../types/index.ts';

export interface StateCommitMetrics {
  applied(seconds: number, changes: BlockChanges): void;
  snapshotted(version: number, seconds: number): void;
}

const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

export function createStateCommitMetrics(registry: MetricsRegistry | undefined): StateCommitMetrics {
  const apply = registry?.histogram({
    name: 'chain_state_commit_apply_seconds',
    help: 'Time to apply and hash one block.',
    buckets: BUCKETS,
  });
  const keys = registry?.counter({
    name: 'chain_state_commit_writes_total',
    help: 'Keys written or deleted.',
  });
  const version = registry?.gauge({
    name: 'chain_state_commit_snapshot_version',
    help: 'Version of the newest snapshot written by this process.',
  });
  const duration = registry?.gauge({
    name: 'chain_state_commit_snapshot_seconds',
    help: 'Time that the newest snapshot took to write.',
  });
  return {
    applied: (seconds, { stores }) => {
      apply?.observe(seconds);
      keys?.add(stores.reduce((sum, { changes }) => sum + changes.length, 0));
    },
    snapshotted: (snapshotVersion, seconds) => {
      version?.set(snapshotVersion);
      duration?.set(seconds);
    },
  };
}
