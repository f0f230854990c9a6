import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { CodedError, createMetricsRegistry, Lifecycle, type Logger, openAdminServer } from '@chain/platform';
import { ChainNodeController, withoutMigrations } from '../controller/index.ts';
import {
  Controller,
  LeaderElection,
  loadCredentials,
  openEventRecorder,
  openKubeClient,
  refOf,
  runtimeMetrics,
} from '../kube/index.ts';
import { NodeObserver } from '../observe/index.ts';
import type { OperatorSettings } from '../settings/index.ts';
import { makeWatches } from './openWatches.ts';
import { OperatorHealth } from './operatorHealth.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs until a signal, or until leadership is lost: then it rejects, for nobody can say what still runs. */
export async function runOperator(
  settings: OperatorSettings,
  { logger }: { readonly logger: Logger },
): Promise<void> {
  const lifecycle = new Lifecycle();
  const stopped = Promise.withResolvers<string>();
  const stop = (signal: string): void => stopped.resolve(signal);
  for (const name of STOP_SIGNALS) process.once(name, stop);
  try {
    const opened = await open(lifecycle, settings, { logger, stopped: stopped.promise });
    const ends = opened ? [stopped.promise, opened.lost] : [stopped.promise];
    logger.info('Operator is stopping', { signal: await Promise.race(ends) });
  } finally {
    for (const name of STOP_SIGNALS) process.off(name, stop);
    await lifecycle.close();
    logger.info('Operator is stopped');
  }
}

interface OpenDeps {
  readonly logger: Logger;
  readonly stopped: Promise<string>;
}

async function open(
  lifecycle: Lifecycle,
  settings: OperatorSettings,
  { logger, stopped }: OpenDeps,
): Promise<Lead | undefined> {
  const metrics = createMetricsRegistry({ processMetrics: true });
  const runtime = runtimeMetrics(metrics);
  const credentials = loadCredentials(settings.kubernetes.kubeconfig || undefined);
  const kube = openKubeClient({ credentials, metrics });
  lifecycle.defer(async () => kube.close());
  const { client } = kube;
  const identity = `${hostname()}_${randomUUID()}`;
  const namespace = settings.kubernetes.namespace || credentials.namespace;
  const events = openEventRecorder(
    { controller: 'chain.dev/operator', instance: identity },
    { client, metrics: runtime, logger },
  );
  lifecycle.defer(() => events.close());
  let enqueue = (_key: string): void => undefined;
  const { nodes, all } = makeWatches(
    settings.kubernetes.namespaces,
    { transport: kube.transport, logger: logger.child({ room: 'kube' }), metrics: runtime },
    (key) => enqueue(key),
  );
  const { admin, controller } = settings;
  const health = new OperatorHealth(all);
  lifecycle.own(await openAdminServer(admin, { metrics, health, logger: logger.child({ room: 'admin' }) }));
  for (const informer of all) {
    informer.start();
    lifecycle.defer(() => informer.close());
  }
  await Promise.race([Promise.all(all.map((informer) => informer.whenSynced())), stopped]);
  const led = await lead(lifecycle, settings, { client, logger, identity, namespace, runtime, stopped });
  if (!led) return undefined;
  const observer = new NodeObserver(
    {
      intervalMs: controller['poll-interval'],
      timeoutMs: controller['poll-timeout'],
      concurrency: controller['poll-concurrency'],
    },
    {
      ...{ clock: client.clock, logger: logger.child({ room: 'observe' }), metrics },
      onChange: (key) => enqueue(key),
    },
  );
  lifecycle.defer(async () => observer.close());
  const chainNodes = new ChainNodeController(
    { limiterImage: settings.defaults['limiter-image'], operatorNamespace: namespace },
    {
      ...{ client, observer, metrics, logger: logger.child({ room: 'controller' }) },
      nodes: () => nodes.list(),
      migrations: withoutMigrations,
      tell: (regarding, happening) => events.record({ regarding, ...happening }),
    },
  );
  const loop = new Controller(
    { name: 'chainnode', workers: controller.concurrency, resyncMs: controller['resync-interval'] },
    {
      reconcile: (key) => chainNodes.reconcile(refOf(key)),
      keys: () => nodes.keys(),
      ...{ metrics: runtime, logger: logger.child({ room: 'controller' }) },
    },
  );
  enqueue = (key) => loop.enqueue(key);
  loop.start();
  lifecycle.defer(() => loop.close());
  logger.info('Operator is running', { server: credentials.server, namespace, nodes: nodes.size });
  return led;
}

interface LeadDeps extends OpenDeps {
  readonly client: ReturnType<typeof openKubeClient>['client'];
  readonly identity: string;
  readonly namespace: string;
  readonly runtime: ReturnType<typeof runtimeMetrics>;
}

interface Lead {
  /** Rejects when this process may no longer work. */
  readonly lost: Promise<never>;
}

/** Waits until this process may work; `undefined` when it is told to stop before. */
async function lead(
  lifecycle: Lifecycle,
  { leader }: OperatorSettings,
  { client, logger, identity, namespace, runtime, stopped }: LeadDeps,
): Promise<Lead | undefined> {
  if (!leader.enabled) return { lost: new Promise<never>(() => undefined) };
  const times = {
    ...{ leaseMs: leader.duration, renewDeadlineMs: leader['renew-deadline'] },
    retryMs: leader['retry-period'],
  };
  const election = new LeaderElection(
    { namespace, name: leader.lease, identity, ...times },
    { client, logger: logger.child({ room: 'kube' }) },
  );
  lifecycle.defer(() => election.close());
  logger.info('Waiting for the lead', { lease: `${namespace}/${leader.lease}`, identity });
  const leads = await Promise.race([election.acquire(), stopped.then(() => false)]);
  if (!leads) return undefined;
  runtime.leader.set(1);
  const lost = election.lost.then(() => {
    throw new CodedError(
      'APP_LEADERSHIP_LOST',
      'the Lease could not be renewed in time; another operator goes on, start this one again',
    );
  });
  lost.catch(() => undefined);
  return { lost };
}
