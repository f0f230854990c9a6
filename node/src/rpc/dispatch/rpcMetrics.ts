import type { MetricsRegistry } from '@chain/platform/metrics';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** The metrics of one method. */
export interface MethodMetrics {
  /** One call; `code` of its error, if it had one. */
  answered(seconds: number, code: number | undefined): void;
}

export interface RpcMetrics {
  /** Resolves the label once, so that a call does not. */
  of(method: string): MethodMetrics;
}

export function rpcMetrics(registry: MetricsRegistry | undefined): RpcMetrics {
  const requests = registry?.counter({
    name: 'chain_rpc_requests_total',
    help: 'JSON-RPC calls.',
    labels: ['method'],
  });
  const errors = registry?.counter({
    name: 'chain_rpc_errors_total',
    help: 'JSON-RPC calls answered with an error, by its code.',
    labels: ['method', 'code'],
  });
  const duration = registry?.histogram({
    name: 'chain_rpc_duration_seconds',
    help: 'Time of a JSON-RPC call from dispatch to answer.',
    labels: ['method'],
    buckets: SECONDS,
  });
  return {
    of: (method) => {
      const count = requests?.bind({ method });
      const observe = duration?.bind({ method });
      return {
        answered(seconds, code) {
          count?.(1);
          observe?.(seconds);
          if (code !== undefined) errors?.add(1, { method, code });
        },
      };
    },
  };
}
