import type { MetricsRegistry } from '@chain/platform/metrics';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** What a block's time goes into: the EVM, the app hash, the synced log, the stores. */
type Phase = 'run' | 'hash' | 'log' | 'store';

export interface ChainMetrics {
  /** Runs `work` and notes how long it took. */
  timed<T>(phase: Phase, work: () => T | Promise<T>): Promise<T>;
  committed(height: number, transactions: number, gasUsed: bigint): void;
}

export function chainMetrics(registry: MetricsRegistry | undefined): ChainMetrics {
  const phases = registry?.histogram({
    name: 'chain_chain_phase_seconds',
    help: 'Time of each step of a block.',
    labels: ['phase'],
    buckets: SECONDS,
  });
  const height = registry?.gauge({ name: 'chain_chain_height_blocks', help: 'Newest committed height.' });
  const transactions = registry?.counter({
    name: 'chain_chain_transactions_total',
    help: 'Ledger transactions in committed blocks.',
  });
  const gas = registry?.counter({ name: 'chain_chain_gas_total', help: 'Gas used by committed blocks.' });
  return {
    async timed(phase, work) {
      const started = performance.now();
      try {
        return await work();
      } finally {
        phases?.observe((performance.now() - started) / 1000, { phase });
      }
    },
    committed(newest, count, gasUsed) {
      height?.set(newest);
      transactions?.add(count);
      gas?.add(Number(gasUsed));
    },
  };
}
