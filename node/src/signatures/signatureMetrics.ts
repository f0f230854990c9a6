import type { MetricsRegistry } from '@chain/platform/metrics';

export interface SignatureMetrics {
  answered(where: 'main' | 'thread', count: number): void;
  threads(count: number): void;
  ended(): void;
}

export function signatureMetrics(registry: MetricsRegistry | undefined): SignatureMetrics {
  const answered = registry?.counter({
    name: 'chain_signatures_checked_total',
    help: 'Signatures that were recovered or verified, by where that was done.',
    labels: ['where'],
  });
  const threads = registry?.gauge({
    name: 'chain_signatures_threads_count',
    help: 'Threads that look at signatures.',
  });
  const ended = registry?.counter({
    name: 'chain_signatures_threads_ended_total',
    help: 'Threads that looked at signatures and died.',
  });
  return {
    answered: (where, count) => answered?.add(count, { where }),
    threads: (count) => threads?.set(count),
    ended: () => ended?.add(),
  };
}
