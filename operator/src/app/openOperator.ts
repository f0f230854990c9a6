import { randomUUID } from 'node:crypto';
import { Lifecycle, type Logger, urlOf } from '@chain/platform';
import { createMetricsRegistry, type MetricsRegistry } from '@chain/platform/metrics';
import { openAdminServer } from '@chain/platform/servers';
import {
  Controller,
  type CredentialSource,
  LeaderElection,
  leadingClient,
  openEventRecorder,
  openKubeClient,
  type Reconcile,
  type RecordedEvent,
  runtimeMetrics,
} from '../kube/index.ts';
import type { Observation } from '../observe/index.ts';
import type { OperatorSettings } from '../settings/index.ts';
import { openStatusPage } from '../statusPage/index.ts';
import { OperatorHealth } from './operatorHealth.ts';
import type { OperatorOptions, OperatorParts } from './operatorParts.ts';
import { pageSource, REPORTING_CONTROLLER } from './pageSource.ts';
import { openReconcilers } from './reconcilers.ts';
import { USER_AGENT } from './release.ts';
import { openCaches } from './resourceCaches.ts';
import { openResourceGauges } from './resourceGauges.ts';
import { asksTokens, tokenReview } from './reviewToken.ts';
import { openStallGauges } from './stallGauges.ts';

/** Of a hundred nodes that are made at once each has other peers ten times over: it is looked at once for all of them. */
const PEERS_MS = 5_000;

export interface RunningOperator {
  readonly adminUrl: string;
  /** Undefined without a status page. */
  readonly pageUrl: string | undefined;
  readonly metrics: MetricsRegistry;
  /** Resolves when another process leads without this one having given way: it must end. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

export interface OperatorDeps {
  readonly credentials: CredentialSource;
  readonly logger: Logger;
  /** Where proxies to the API server are named: HTTPS_PROXY, NO_PROXY. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Opens the admin listener, the caches and the page, and works once it leads. A failed start closes what it opened. */
export async function openOperator(options: OperatorOptions, deps: OperatorDeps): Promise<RunningOperator> {
  const lifecycle = new Lifecycle();
  try {
    return await openOnto(lifecycle, options, deps);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
}

async function openOnto(
  lifecycle: Lifecycle,
  options: OperatorOptions,
  { credentials, logger, environment }: OperatorDeps,
): Promise<RunningOperator> {
  const { settings } = options;
  const registry = createMetricsRegistry({ processMetrics: true });
  const metrics = runtimeMetrics(registry);
  const connection = lifecycle.own(
    openKubeClient(
      { credentials, metrics: registry },
      { userAgent: USER_AGENT, ...(environment && { environment }) },
    ),
  );
  const controllers: { node?: Controller; fleet?: Controller } = {};
  const caches = openCaches(
    settings.kubernetes,
    {
      ...{ connection, logger },
      onAlive: (kind) => metrics.watchAlive.set(Date.now() / 1000, { kind }),
      onNode: (key) => controllers.node?.enqueue(key),
      onPeers: (key) => controllers.node?.enqueueAfter(key, PEERS_MS),
      onFleet: (key) => controllers.fleet?.enqueue(key),
    },
    lifecycle,
  );
  const election = electionOf(options, { connection, logger });
  const working = () => [controllers.node, controllers.fleet].filter((one) => one !== undefined);
  const health = new OperatorHealth({
    watched: () => caches.all,
    working,
    isLeading: () => election?.isLeading ?? true,
  });
  openStallGauges(registry, () => Math.max(0, ...working().map(({ stuckMs }) => stuckMs)), lifecycle);
  const admin = lifecycle.own(await openAdminServer(settings.admin, { metrics: registry, health, logger }));
  let observer: { get(key: string): Observation | undefined } | undefined;
  const observed = (key: string) => observer?.get(key);
  openResourceGauges(registry, {
    nodes: () => caches.nodes.list(),
    fleets: () => caches.fleets.list(),
    observed,
    isTelling: () => election?.isLeading ?? true,
  });
  const page = settings['status-page'].enabled
    ? await openPage(settings, { caches, connection, logger, observed }, lifecycle)
    : undefined;
  if (page) lifecycle.own(page);
  const tell = openTelling(lifecycle, options, { connection, metrics, logger });
  const shared: OperatorParts = {
    ...{ options, connection, caches, registry, metrics, logger, lifecycle, tell },
    client: leadingClient(connection.client, () => election?.assertLeading()),
  };
  const reconcilers = openReconcilers(shared, (key) => controllers.node?.enqueue(key));
  observer = reconcilers.observer;
  controllers.node = controllerOf('chainNode', shared, reconcilers.node, () => caches.nodes.keys());
  controllers.fleet = controllerOf('chainNodeFleet', shared, reconcilers.fleet, () => caches.fleets.keys());
  caches.start();
  const { node, fleet } = controllers;
  const ending = Promise.withResolvers<'ending'>();
  const leading = lead(election, shared, ending.promise, () => {
    node.start();
    fleet.start();
  });
  lifecycle.defer(async () => {
    ending.resolve('ending');
    // The lease goes last: until then nobody else works.
    await Promise.all([node.close(), fleet.close()]);
    await election?.close();
    await leading;
  });
  return {
    adminUrl: urlOf(admin),
    pageUrl: page && urlOf(page),
    metrics: registry,
    lost: election?.lost ?? new Promise(() => {}),
    close: () => lifecycle.close(),
  };
}

function openPage(
  settings: OperatorSettings,
  deps: Parameters<typeof pageSource>[1] & Pick<OperatorParts, 'connection'>,
  lifecycle: Lifecycle,
) {
  const { connection, logger } = deps;
  const source = pageSource(settings.kubernetes, deps, lifecycle);
  const { client } = connection;
  const review = asksTokens(settings['status-page'])
    ? { review: tokenReview(client, settings.kubernetes.namespaces) }
    : {};
  return openStatusPage(settings['status-page'], { source, clock: client.clock, logger, ...review });
}

function openTelling(
  lifecycle: Lifecycle,
  { instance }: OperatorOptions,
  { connection, metrics, logger }: Pick<OperatorParts, 'connection' | 'metrics' | 'logger'>,
): (happening: RecordedEvent) => void {
  const recorder = openEventRecorder(
    { controller: REPORTING_CONTROLLER, instance },
    { client: connection.client, metrics, logger },
  );
  lifecycle.own(recorder);
  return (happening) => recorder.record(happening);
}

function controllerOf(
  name: string,
  { options, metrics, logger }: OperatorParts,
  reconcile: Reconcile,
  keys: () => readonly string[],
): Controller {
  const { concurrency, 'resync-interval': resyncMs, 'stop-grace': graceMs } = options.settings.controller;
  return new Controller(
    { name, workers: concurrency, resyncMs, graceMs },
    { reconcile, keys, metrics, logger },
  );
}

function electionOf(
  { settings, instance, namespace }: OperatorOptions,
  { connection, logger }: Pick<OperatorParts, 'connection' | 'logger'>,
): LeaderElection | undefined {
  const { enabled, name, ...times } = settings['leader-election'];
  if (!enabled) return undefined;
  return new LeaderElection(
    {
      namespace,
      name,
      identity: `${instance}_${randomUUID()}`,
      leaseMs: times['lease-duration'],
      renewDeadlineMs: times['renew-deadline'],
      retryMs: times['retry-period'],
    },
    // Renewing waits for nobody's requests, and there is time for a second try before the deadline.
    { client: connection.beside(times['renew-deadline'] / 2), logger },
  );
}

/** Works once the caches are filled and, where there is an election, this process was elected. */
async function lead(
  election: LeaderElection | undefined,
  { caches, metrics, logger }: OperatorParts,
  ending: Promise<'ending'>,
  start: () => void,
): Promise<void> {
  const filled = Promise.all(caches.all.map((cache) => cache.whenSynced()));
  // It may be told to stop while the API server does not answer.
  if ((await Promise.race([filled, ending])) === 'ending') return;
  if (election && !(await election.acquire())) return;
  metrics.leader.set(1);
  logger.info('Operator leads', { nodes: caches.nodes.size, fleets: caches.fleets.size });
  start();
}
