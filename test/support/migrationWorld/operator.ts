import {
  decide,
  isEnded,
  type JobView,
  type MigrationRecord,
  type MigrationSettings,
  mayBeDeleted,
  migrationWorkload,
  type ObservedState,
  soughtKeys,
} from '../../../operator/src/plan/index.ts';
import type { SimulatedCluster } from './cluster.ts';

/** Where an operator can be killed; one behind the other in each pass. */
export type Instant =
  | 'before apply'
  | 'after apply'
  | 'before persist'
  | 'after persist'
  | 'before act'
  | 'after act';

export interface PassHooks {
  /** Throws `Killed` at the instant that a test has chosen. */
  readonly at: (instant: Instant, record: MigrationRecord | undefined) => void;
  /** What another operator does meanwhile. */
  readonly meanwhile?: () => void;
}
export class Killed extends Error {}

/** One reconcile: apply what the record asks for, look, decide, and do one thing. */
export function reconcile(cluster: SimulatedCluster, { at, meanwhile }: PassHooks): void {
  const { record, version, actual } = cluster;
  at('before apply', record);
  cluster.applyWorkload(migrationWorkload(actual, record));
  at('after apply', record);
  const world = observe(cluster);
  meanwhile?.();
  const decision = decide(world, record);
  if (decision.do === 'persist') {
    at('before persist', record);
    cluster.write(decision.record, version);
    at('after persist', record);
  } else if (decision.do === 'act') {
    at('before act', record);
    cluster.act(decision.action, record!);
    at('after act', record);
  }
}

export const isDeletable = (cluster: SimulatedCluster): boolean =>
  mayBeDeleted(observe(cluster), cluster.record);

export function observe(cluster: SimulatedCluster): ObservedState {
  const { now, pod, record, faults, snapshots, settings } = cluster;
  const point = {
    height: 100,
    hash: 'AB',
    agreed: 2,
    resolvedAt: new Date(now).toISOString(),
    servers: [{ url: 'http://a', ok: true, height: 200 }],
  };
  const volume = pod && cluster.volumes.get(pod.claim);
  const isSynced = pod?.open === true && volume?.data === (pod.split ? 'split' : 'one');
  const snapshot = record?.backup?.snapshotName !== undefined && snapshots.has(record.backup.snapshotName);
  return {
    now,
    node: {
      name: 'rpc-0',
      namespace: 'chain',
      uid: 'u1',
      generation: cluster.generation,
      deleting: cluster.deleting,
    },
    wanted: cluster.wanted,
    actual: cluster.actual,
    settings,
    paused: false,
    commands: cluster.commands,
    guards: [],
    trust: faults.trustFails
      ? { problem: 'http://a and http://b do not agree', reason: 'TrustDisagrees' }
      : { point },
    workload: {
      volumeUsers: pod ? ['rpc-0-0'] : [],
      unreachable: faults.unreachable === true,
      serving: cluster.wish.serves && pod !== undefined,
      ready: isSynced,
      running: pod?.open === true,
      restarts: pod?.restarts ?? 0,
      ...(pod?.crash !== undefined && { crash: pod.crash }),
    },
    shareable: true,
    jobs: Object.fromEntries([...cluster.jobs].map(([name, job]) => [name, viewOf(job)])),
    ...(snapshot && {
      snapshot: faults.snapshotFails ? { ready: false, error: 'no driver' } : { ready: true },
    }),
    keySecretExists: cluster.keySecrets.has(keySecretOf(record, settings, now) ?? ''),
    claimNoted: record?.claim !== undefined && cluster.replacedBy === record.claim,
    leftovers: leftoversOf(cluster),
    claimExists: record?.claim !== undefined && cluster.volumes.has(record.claim),
    ...(pod?.open && { chain: chainOf(pod, isSynced) }),
    ...(isSynced && { checks: [{ name: 'trace', ok: !faults.verifyFails, detail: 'no result' }] }),
  };
}

function leftoversOf({
  record,
  jobs,
  volumes,
  snapshots,
}: SimulatedCluster): NonNullable<ObservedState['leftovers']> {
  if (!record || !isEnded(record) || record.tidied) return [];
  const isThere = ({ kind, name }: { kind: string; name: string }) =>
    kind === 'VolumeSnapshot' ? snapshots.has(name) : volumes.has(name);
  const own = [...jobs.keys()].filter((name) => name.includes(record.id));
  return [
    ...own.map((name) => ({ kind: 'Job' as const, name })),
    ...(record.superseded ?? []).filter(isThere),
  ];
}

function keySecretOf(
  record: MigrationRecord | undefined,
  { keySecret }: MigrationSettings,
  now: number,
): string | undefined {
  return record && keySecret && soughtKeys(record, 'rpc-0', keySecret.retainMs, now);
}

function chainOf(
  { syncedFor }: { readonly syncedFor: number },
  isSynced: boolean,
): NonNullable<ObservedState['chain']> {
  const restoring = !isSynced && syncedFor > 0 ? { restoring: { chunks: syncedFor, chunksTotal: 4 } } : {};
  return { height: isSynced ? 150 : 0, catchingUp: !isSynced, blockAgeMs: 1000, ...restoring };
}

function viewOf(job: { part: string; state: JobView['state']; error?: string }): JobView {
  const files = [{ path: 'config/node_key.json', sha256: 'cd'.repeat(32) }];
  const backup = { path: 'migration/x/backup-1', manifestSha256: 'ab'.repeat(32), files };
  return {
    state: job.state,
    result: {
      ...(job.error !== undefined && { error: job.error }),
      ...(job.state === 'succeeded' &&
        ['backup', 'apply'].includes(job.part) && { backup, sealedKeys: 'sealed' }),
    },
  };
}
