import type { MetricsRegistry } from '@chain/platform/metrics';

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

export interface PoolMetrics {
  queued(jobs: number): void;
  threads(count: number): void;
  refused(): void;
  waited(seconds: number): void;
  ran(kind: string, seconds: number): void;
}

export function poolMetrics(registry: MetricsRegistry | undefined): PoolMetrics {
  const queued = registry?.gauge({
    name: 'chain_threads_queued_jobs',
    help: 'Calls that wait for a worker thread.',
  });
  const threads = registry?.gauge({ name: 'chain_threads_running_count', help: 'Worker threads.' });
  const refused = registry?.counter({
    name: 'chain_threads_refused_total',
    help: 'Calls refused because too many waited.',
  });
  const waited = registry?.histogram({
    name: 'chain_threads_wait_seconds',
    help: 'Time that a call waited for a worker thread.',
    buckets: SECONDS,
  });
  const ran = registry?.histogram({
    name: 'chain_threads_job_seconds',
    help: 'Time that a worker thread took for a call.',
    labels: ['kind'],
    buckets: SECONDS,
  });
  return {
    queued: (jobs) => queued?.set(jobs),
    threads: (count) => threads?.set(count),
    refused: () => refused?.add(),
    waited: (seconds) => waited?.observe(seconds),
    ran: (kind, seconds) => ran?.observe(seconds, { kind }),
  };
}
