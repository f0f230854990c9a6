import type { MetricsRegistry } from '@chain/platform/metrics';
import type { EngineStatus } from './thread/messages.ts';

export interface FlatKvMetrics {
  applied(status: EngineStatus, waiting: number): void;
  failed(): void;
}

const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

export function createFlatKvMetrics(registry: MetricsRegistry | undefined): FlatKvMetrics {
  const version = registry?.gauge({
    name: 'chain_state_flatkv_version',
    help: 'Newest version that FlatKV has written.',
  });
  const waiting = registry?.gauge({
    name: 'chain_state_flatkv_waiting_blocks',
    help: 'Blocks that FlatKV has still to take.',
  });
  const seconds = registry?.histogram({
    name: 'chain_state_flatkv_apply_seconds',
    help: 'Time to hash and write one block, on its own thread.',
    buckets: BUCKETS,
  });
  const failures = registry?.counter({
    name: 'chain_state_flatkv_failures_total',
    help: 'Times that FlatKV has stopped following the chain; a restart lets it catch up.',
  });
  return {
    applied: (status, blocks) => {
      version?.set(status.version);
      waiting?.set(blocks);
      seconds?.observe(status.seconds);
    },
    failed: () => failures?.add(),
  };
}
