import { type Clock, CrashBoundary, Lifecycle, type Logger, systemClock, urlOf } from '@chain/platform';
import { createMetricsRegistry, type MetricsRegistry } from '@chain/platform/metrics';
import type { SettingsSources } from '@chain/platform/program';
import { openAdminServer } from '@chain/platform/servers';
import { ClientBuckets } from '../limit/index.ts';
import { limiterMetrics, openProxyServer, type ProxyServer } from '../proxy/index.ts';
import { type LimiterSettings, LiveSettings } from '../settings/index.ts';
import { type UpstreamState, UpstreamWatch } from '../upstream/index.ts';
import { drainRoutes } from './drainRoutes.ts';
import { LimiterHealth } from './limiterHealth.ts';

export interface LimiterOptions {
  readonly settings: LimiterSettings;
  /** Where they came from, to load them anew. */
  readonly sources: SettingsSources;
}

export interface RunningLimiter {
  readonly url: string;
  readonly adminUrl: string;
  readonly metrics: MetricsRegistry;
  /** Loads the settings anew. */
  reload(): Promise<void>;
  /** Not ready from now on; goes on serving for the time that `drain.wait` says. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** How often clients with full buckets are forgotten. */
const FORGET_MS = 5_000;

/** Opens the admin listener, then the proxy. A failed start closes what it had opened. */
export async function openLimiter(
  options: LimiterOptions,
  deps: { readonly logger: Logger; readonly clock?: Clock },
): Promise<RunningLimiter> {
  const lifecycle = new Lifecycle();
  try {
    return await openOnto(lifecycle, options, { clock: systemClock, ...deps });
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
}

async function openOnto(
  lifecycle: Lifecycle,
  { settings: given, sources }: LimiterOptions,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): Promise<RunningLimiter> {
  let settings = given;
  const registry = createMetricsRegistry({ processMetrics: true });
  const metrics = limiterMetrics(registry);
  const now = () => performance.now();
  const buckets = new ClientBuckets(bucketOptions(settings), { now, onEvicted: metrics.evicted });
  let proxy: ProxyServer | undefined;
  const watch: UpstreamWatch = new UpstreamWatch(watchOptions(settings), {
    clock,
    status: async (timeoutMs) => proxy!.status(timeoutMs),
    onChange: (state) => tellChange(state, logger),
  });
  const health = new LimiterHealth({
    clock,
    upstream: () => watch.state,
    rules: () => ({
      maxBlockAgeMs: settings.readiness['max-block-age'],
      requireSynced: settings.readiness['require-synced'],
    }),
  });
  const admin = lifecycle.own(
    await openAdminServer(
      {
        ...settings.admin,
        routes: drainRoutes({
          drain: () => health.drain(),
          resume: () => health.resume(),
          isDraining: () => health.isDraining,
          underWay: () => proxy?.underWay ?? 0,
        }),
      },
      { metrics: registry, health, logger },
    ),
  );
  const boundary = new CrashBoundary({ name: 'proxy' }, { logger, metrics: registry });
  const isDraining = (): boolean => health.isDraining;
  const opened = await openProxyServer(settings, { buckets, metrics, boundary, isDraining });
  proxy = lifecycle.own(opened);
  lifecycle.own(watch);
  registerGauges(registry, { proxy: opened, buckets, watch, clock, health });
  const forget = setInterval(() => buckets.forgetIdle(), FORGET_MS).unref();
  lifecycle.defer(() => clearInterval(forget));
  const live = new LiveSettings(sources, settings, {
    logger,
    onReload: metrics.reloaded,
    onChange: (next) => {
      settings = next;
      buckets.configure(bucketOptions(next));
      watch.configure(watchOptions(next));
      opened.configure(next);
    },
  });
  lifecycle.own(live);
  health.open();
  void watch.start();
  return {
    url: urlOf(opened),
    adminUrl: urlOf(admin),
    metrics: registry,
    reload: () => live.reload(),
    drain: async () => {
      health.drain();
      const restMs = settings.drain.wait - health.drainedMs;
      if (restMs > 0) await new Promise((waited) => setTimeout(waited, restMs));
    },
    close: () => lifecycle.close(),
  };
}

function bucketOptions({ limit }: LimiterSettings) {
  return { rate: limit.rate, burst: limit.burst, maxClients: limit['max-clients'] };
}

function watchOptions({ readiness }: LimiterSettings) {
  return { pollIntervalMs: readiness['poll-interval'] };
}

function tellChange({ failure, height, catchingUp }: UpstreamState, logger: Logger): void {
  if (failure === undefined) logger.info('The node answers', { height, catchingUp });
  else logger.warn('The node does not answer', { reason: failure });
}

interface Gauged {
  readonly proxy: ProxyServer;
  readonly buckets: ClientBuckets;
  readonly watch: UpstreamWatch;
  readonly clock: Clock;
  readonly health: LimiterHealth;
}

function registerGauges(registry: MetricsRegistry, { proxy, buckets, watch, clock, health }: Gauged): void {
  const gauges: readonly (readonly [string, string, () => number])[] = [
    ['chain_limiter_clients', 'Clients whose calls are remembered.', () => buckets.size],
    ['chain_limiter_connections', 'Open connections of clients.', () => proxy.connections],
    ['chain_limiter_web_sockets', 'Open WebSocket connections of clients.', () => proxy.webSockets],
    ['chain_limiter_inflight', 'Requests passed on and not answered yet.', () => proxy.underWay],
    ['chain_limiter_draining', '1 while it is being drained.', () => Number(health.isDraining)],
    ['chain_limiter_ready', '1 while it may get traffic.', () => Number(health.ready().ok)],
    [
      'chain_limiter_upstream_up',
      '1 while the node answers.',
      () => Number(watch.state.failure === undefined),
    ],
    ['chain_limiter_chain_height', 'Height that the node last told.', () => watch.state.height],
    [
      'chain_limiter_block_age_seconds',
      'Age of the newest block that the node told; 0 before the first.',
      () => (watch.state.blockTimeMs === 0 ? 0 : Math.max(0, clock.now() - watch.state.blockTimeMs) / 1000),
    ],
  ];
  for (const [name, help, read] of gauges) registry.gauge({ name, help, read });
}
