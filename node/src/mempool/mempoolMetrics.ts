import { isCodedError } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { MempoolCounts } from './mempoolContent.ts';

export interface MempoolMetrics {
  added(): void;
  rejected(error: unknown): void;
  dropped(reason: string): void;
  sizes(counts: MempoolCounts, bytes: number): void;
}

export function mempoolMetrics(registry: MetricsRegistry | undefined): MempoolMetrics {
  const added = registry?.counter({
    name: 'chain_mempool_added_total',
    help: 'Transactions taken into the pool.',
  });
  const rejected = registry?.counter({
    name: 'chain_mempool_rejected_total',
    help: 'Transactions refused, by error code.',
    labels: ['code'],
  });
  const dropped = registry?.counter({
    name: 'chain_mempool_dropped_total',
    help: 'Transactions that left the pool, by reason.',
    labels: ['reason'],
  });
  const count = registry?.gauge({
    name: 'chain_mempool_size_count',
    help: 'Transactions in the pool.',
  });
  const waiting = registry?.gauge({
    name: 'chain_mempool_queued_count',
    help: 'Transactions in the pool that wait for a lower nonce.',
  });
  const bytes = registry?.gauge({
    name: 'chain_mempool_size_bytes',
    help: 'Raw bytes of the transactions in the pool.',
  });
  return {
    added: () => added?.add(),
    rejected: (error) => rejected?.add(1, { code: isCodedError(error) ? error.code : 'unknown' }),
    dropped: (reason) => dropped?.add(1, { reason }),
    sizes: ({ pending, queued }, size) => {
      count?.set(pending + queued);
      waiting?.set(queued);
      bytes?.set(size);
    },
  };
}
