import type { MetricsRegistry } from '@chain/platform/metrics';

/** Why a request went no further. */
export type Rejection =
  | 'limited'
  | 'denied'
  | 'invalid'
  | 'batch'
  | 'size'
  | 'slow'
  | 'busy'
  | 'connections'
  | 'proxyHeader';

export type Route = 'calls' | 'root' | 'uri' | 'websocket' | 'other';

/** What is told of traffic. No labels by address: there are as many as clients. */
export interface LimiterMetrics {
  answered(route: Route, status: number): void;
  rejected(reason: Rejection): void;
  evicted(state: 'idle' | 'active'): void;
  upstreamSeconds(seconds: number): void;
  reloaded(ok: boolean): void;
}

const UPSTREAM_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function limiterMetrics(registry: MetricsRegistry): LimiterMetrics {
  const requests = registry.counter({
    name: 'chain_limiter_requests_total',
    help: 'HTTP requests answered, and WebSocket messages passed on or answered by an error (code "message").',
    labels: ['route', 'code'],
  });
  const rejections = registry.counter({
    name: 'chain_limiter_rejected_total',
    help: 'Requests, messages and connections that went no further, by reason.',
    labels: ['reason'],
  });
  const evictions = registry.counter({
    name: 'chain_limiter_evictions_total',
    help: 'Clients forgotten because the table was full; active ones got a new burst by it.',
    labels: ['state'],
  });
  const reloads = registry.counter({
    name: 'chain_limiter_config_reloads_total',
    help: 'Attempts to load the configuration anew.',
    labels: ['result'],
  });
  const seconds = registry.histogram({
    name: 'chain_limiter_upstream_seconds',
    help: 'Time from passing a request on to the end of its answer.',
    buckets: UPSTREAM_BUCKETS,
  });
  const answered = bindings(({ route, code }: { route: Route; code: string }) =>
    requests.bind({ route, code }),
  );
  const rejected = bindings(({ reason }: { reason: Rejection }) => rejections.bind({ reason }));
  return {
    answered: (route, status) =>
      answered(`${route}${status}`, { route, code: status === 0 ? 'message' : String(status) })(1),
    rejected: (reason) => rejected(reason, { reason })(1),
    evicted: (state) => evictions.add(1, { state }),
    upstreamSeconds: seconds.bind({}),
    reloaded: (ok) => reloads.add(1, { result: ok ? 'ok' : 'failed' }),
  };
}

/** Bound counters by key: looking labels up each time costs more than the call that is counted. */
function bindings<Labels>(bind: (labels: Labels) => (amount: number) => void) {
  const known = new Map<string, (amount: number) => void>();
  return (key: string, labels: Labels): ((amount: number) => void) => {
    const found = known.get(key);
    if (found) return found;
    const made = bind(labels);
    known.set(key, made);
    return made;
  };
}
