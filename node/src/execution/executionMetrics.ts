import type { MetricsRegistry } from '@chain/platform/metrics';
import type { BlockOutcome } from './blockOutcome.ts';

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

export function executionMetrics(metrics: MetricsRegistry) {
  const seconds = metrics.histogram({
    name: 'chain_execution_block_seconds',
    help: 'Time to run the transactions of a block.',
    buckets: SECONDS,
  });
  const gas = metrics.counter({
    name: 'chain_execution_gas_units',
    help: 'Gas that transactions of blocks paid for.',
  });
  const transactions = metrics.counter({
    name: 'chain_execution_transactions_total',
    help: 'Transactions of blocks by ABCI code.',
    labels: ['code'],
  });
  const faults = metrics.counter({
    name: 'chain_execution_faults_total',
    help: 'Exceptions that nobody declared: faults of this program, each of which became a constant result.',
  });
  return {
    fault: () => faults.add(1),
    observe({ results, gasUsed }: BlockOutcome, milliseconds: number): void {
      seconds.observe(milliseconds / 1000);
      gas.add(Number(gasUsed));
      for (const { code } of results) transactions.add(1, { code });
    },
  };
}
