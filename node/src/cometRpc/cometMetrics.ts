import type { MetricsRegistry } from '@chain/platform/metrics';

export interface CometMetrics {
  /** One call; `code` of its error, if it had one. */
  answered(method: string, seconds: number, code: number | undefined): void;
  opened(): void;
  closed(): void;
  pushed(): void;
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

export function cometMetrics(registry: MetricsRegistry | undefined): CometMetrics {
  const errors = registry?.counter({
    name: 'chain_cometrpc_errors_total',
    help: 'Calls of the consensus RPC answered with an error, by its code.',
    labels: ['method', 'code'],
  });
  const duration = registry?.histogram({
    name: 'chain_cometrpc_duration_seconds',
    help: 'Time of a call of the consensus RPC.',
    labels: ['method'],
    buckets: SECONDS,
  });
  const open = registry?.gauge({
    name: 'chain_cometrpc_websocket_connections_count',
    help: 'Open WebSocket connections of the consensus RPC.',
  });
  const pushed = registry
    ?.counter({
      name: 'chain_cometrpc_events_total',
      help: 'Events sent to subscribers of the consensus RPC.',
    })
    .bind({});
  let connections = 0;
  return {
    answered: (method, seconds, code) => {
      duration?.observe(seconds, { method });
      if (code !== undefined) errors?.add(1, { method, code });
    },
    opened: () => open?.set(++connections),
    closed: () => open?.set(--connections),
    pushed: () => pushed?.(1),
  };
}
