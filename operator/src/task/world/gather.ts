import { oneLine } from '@chain/platform';
import type { Slots } from '@chain/platform/client';
import { ANNOTATIONS, type MigrationPhase, msOf } from '../../api/index.ts';
import { KINDS, type KubeClient } from '../../kube/index.ts';
import {
  COMMANDS,
  isWindowOpen,
  type Layout,
  type MigrationRecord,
  type ObservedState,
  soughtKeys,
} from '../../plan/index.ts';
import { claimOf } from '../../resources/index.ts';
import type { Background } from '../background.ts';
import type { NodeView } from '../nodeView.ts';
import { settingsOf } from '../settingsOf.ts';
import { inNamespace } from '../trust/inNamespace.ts';
import { resolveTrust } from '../trust/resolveTrust.ts';
import { obstacleNow } from '../turn.ts';
import { logCheck, reportChecks, traceCheck, wantsLog } from '../verify/outsideChecks.ts';
import { guardsOf } from './guards.ts';
import { jobView } from './jobView.ts';
import { leftoversOf } from './leftovers.ts';
import { podView } from './podView.ts';
import { volumeUsers } from './volumeUsers.ts';

export interface GatherDeps {
  readonly client: KubeClient;
  readonly trust: Background<NonNullable<ObservedState['trust']>>;
  readonly checks: Background<NonNullable<ObservedState['checks']>>;
  /** By namespace: a tenant who names slow servers, or large answers, holds up nobody else. */
  readonly slots: Slots;
}

const TRUSTING: readonly MigrationPhase[] = ['Preflight', 'Blocked', 'WaitingForSlot', 'Applying', 'Syncing'];
const EMPTYING: readonly MigrationPhase[] = [
  ...(['Stopping', 'BackingUp', 'Applying', 'Aborting', 'RollingBack'] as const),
];
const TRUST_AGE_MS = 10_000;
const CHECK_AGE_MS = 5_000;

/** All that the machine looks at, asked of the API server itself as far as the phase decides by it. */
export async function gather(view: NodeView, deps: GatherDeps): Promise<ObservedState> {
  const { node, observation } = view;
  const { spec, metadata, status } = node;
  const record = status?.migration as MigrationRecord | undefined;
  const now = deps.client.clock.now();
  const phase = record?.phase;
  const jobs = record?.job && (await jobView(deps.client, node, record.job.name));
  const report = observation?.report;
  return {
    now,
    node: {
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
      generation: metadata.generation,
      deleting: metadata.deletionTimestamp !== undefined,
    },
    wanted: { evmSplit: spec.stateStore.evmSplit, backend: spec.stateStore.backend },
    ...actualOf(view),
    ...requestOf(view),
    settings: settingsOf(spec),
    paused: spec.paused || ((spec.hibernate || spec.fenced) && !record?.pastPointOfNoReturn),
    commands: commandsOf(metadata.annotations ?? {}),
    guards: guardsOf(view),
    ...(await waitOf(view, deps.client, now)),
    ...(phase && TRUSTING.includes(phase) && trustOf(view, deps, now)),
    workload: {
      ...(await usersOf(view, deps.client, record)),
      ...(await servingOf(view, deps.client, phase)),
    },
    shareable: spec.storage.accessMode !== 'ReadWriteOncePod',
    jobs: record?.job && jobs ? { [record.job.name]: jobs } : {},
    ...(phase === 'Snapshotting' && (await snapshotOf(view, deps.client, record!))),
    ...(await keySecretOf(view, deps.client, record, now)),
    ...(phase === 'RollingBack' && (await claimThere(view, deps.client, record!))),
    ...(view.desired.claim !== undefined && { claim: view.desired.claim }),
    ...(await leftoversOf(node, deps.client, record)),
    ...chainOf(view, now),
    ...(phase === 'Verifying' && checksOf(view, deps, { record: record!, now })),
    ...(report && {
      nodeFacts: {
        earliest: Math.max(report.floors?.base ?? 0, report.floors?.evm ?? 0),
        latest: report.height,
        nodeId: report.nodeId,
      },
    }),
  };
}

function actualOf({ node: { status } }: NodeView): { actual?: Layout } {
  const store = status?.stateStore;
  if (store?.layout !== 'current' || store.backend === undefined) return {};
  return { actual: { evmSplit: store.evmSplit ?? false, backend: store.backend } };
}

/** A requestId that is there from the start is the state sync of the first start. */
function requestOf({ node: { spec, status } }: NodeView): { resyncRequest?: string } {
  const { requestId } = spec.stateSync;
  const done = status?.stateStore?.requestId;
  return requestId === undefined || done === undefined || requestId === done
    ? {}
    : { resyncRequest: requestId };
}

function commandsOf(annotations: Readonly<Record<string, string>>): ObservedState['commands'] {
  return Object.fromEntries(
    COMMANDS.flatMap((command) => {
      const value = annotations[ANNOTATIONS[command]];
      return value === undefined ? [] : [[command, value]];
    }),
  );
}

async function waitOf(
  { node, statefulSet }: NodeView,
  client: KubeClient,
  now: number,
): Promise<Pick<ObservedState, 'wait'>> {
  const { spec, status, metadata } = node;
  if (status?.migration?.phase !== 'WaitingForSlot') return {};
  const isApproved = metadata.annotations?.[ANNOTATIONS.approve] === status.migration.id;
  if (spec.migration.policy === 'Manual' && !isApproved) return {};
  if (!isWindowOpen(spec.migration.windows, now)) {
    return { wait: { reason: 'OutsideWindow', message: 'no window of spec.migration.windows is open' } };
  }
  const { currentRevision, updateRevision } = statefulSet?.status ?? {};
  if (updateRevision !== undefined && currentRevision !== updateRevision)
    return { wait: { reason: 'Progressing', message: 'the pod is being replaced by an update' } };
  const message = await obstacleNow(client, node);
  return message === undefined ? {} : { wait: { reason: 'WaitingForFleet', message } };
}

/** Fetched beside the passes: none waits for a server. */
function trustOf(
  { node }: NodeView,
  { trust, slots }: GatherDeps,
  now: number,
): Pick<ObservedState, 'trust'> {
  const wish = node.spec.stateSync.trust;
  if (!wish) return {};
  const key = `${node.metadata.uid} ${JSON.stringify(wish)}`;
  const found = trust.get(key, TRUST_AGE_MS, () =>
    resolveTrust(
      {
        ...wish,
        rpcServers: wish.rpcServers.map((url) => inNamespace(url, node.metadata.namespace)),
        chainId: node.spec.chain.id,
        inSlot: (call) => slots.run(node.metadata.namespace, call),
        maxServerLagMs: msOf(wish.maxServerLag),
        periodMs: msOf(wish.period),
        ...(node.status?.nodeId !== undefined && { ownId: node.status.nodeId }),
      },
      now,
    ),
  );
  return found ? { trust: found } : {};
}

async function usersOf(
  view: NodeView,
  client: KubeClient,
  record: MigrationRecord | undefined,
): Promise<Pick<ObservedState['workload'], 'volumeUsers' | 'unreachable'>> {
  if (!record || !EMPTYING.includes(record.phase)) return { volumeUsers: [], unreachable: false };
  const { namespace } = view.node.metadata;
  return volumeUsers(client, { namespace, claim: claimOf(view.node, view.desired), migration: record.id });
}

/** While it drains, what counts is where the Services send clients, not what is asked of them. */
async function servingOf(view: NodeView, client: KubeClient, phase: MigrationPhase | undefined) {
  const facts = podView(view.pod);
  if (phase !== 'Draining' || facts.serving) return facts;
  const { namespace } = view.node.metadata;
  const slices = await client.list(KINDS.endpointSlice, { namespace });
  const serving = slices.some(
    ({ metadata, endpoints }) =>
      // Peers go on finding it: that Service does not send clients.
      !metadata?.labels?.['kubernetes.io/service-name']?.endsWith('-peers') &&
      !metadata?.labels?.['kubernetes.io/service-name']?.endsWith('-metrics') &&
      endpoints?.some(
        ({ targetRef, conditions }) =>
          targetRef?.name === view.pod?.metadata?.name &&
          targetRef?.name !== undefined &&
          conditions?.ready !== false,
      ),
  );
  return { ...facts, serving };
}

async function snapshotOf(
  { node: { metadata } }: NodeView,
  client: KubeClient,
  { backup }: MigrationRecord,
): Promise<Pick<ObservedState, 'snapshot'>> {
  const error = 'the cluster has no VolumeSnapshot; install a CSI driver with its snapshot controller';
  if (!(await client.knows(KINDS.volumeSnapshot))) return { snapshot: { ready: false, error } };
  const name = backup?.snapshotName ?? '';
  const found = await client.get(KINDS.volumeSnapshot, { namespace: metadata.namespace, name });
  if (!found) return {};
  const { readyToUse, error: failure } = (found.status ?? {}) as {
    readyToUse?: boolean;
    error?: { message?: string };
  };
  return {
    snapshot: {
      ready: readyToUse === true,
      ...(failure && { error: oneLine(failure.message ?? 'it failed') }),
    },
  };
}

/** Looked for only where something may follow from it. */
async function keySecretOf(
  { node }: NodeView,
  client: KubeClient,
  record: MigrationRecord | undefined,
  now: number,
): Promise<Pick<ObservedState, 'keySecretExists'>> {
  const { metadata, spec } = node;
  const { secret, retain } = spec.migration.backup;
  if (!secret || !record) return {};
  const name = soughtKeys(record, metadata.name, msOf(retain), now);
  if (name === undefined) return {};
  const found = await client.get(KINDS.secret, { namespace: metadata.namespace, name });
  return { keySecretExists: found !== undefined };
}

async function claimThere(
  { node }: NodeView,
  client: KubeClient,
  { claim }: MigrationRecord,
): Promise<Pick<ObservedState, 'claimExists' | 'claimNoted'>> {
  if (claim === undefined) return { claimExists: false };
  const { namespace } = node.metadata;
  const found = await client.get(KINDS.persistentVolumeClaim, { namespace, name: claim });
  const first = await client.get(KINDS.persistentVolumeClaim, { namespace, name: claimOf(node) });
  const noted = first?.metadata?.annotations?.[ANNOTATIONS.replacedBy];
  // Where somebody has deleted the first one there is nothing to note it on.
  return { claimExists: found !== undefined, claimNoted: first === undefined || noted === claim };
}

function chainOf({ observation, pod }: NodeView, now: number): Pick<ObservedState, 'chain'> {
  const { report, problem } = observation ?? {};
  if (!report || problem !== undefined || !pod || report.stage === 'opening') return {};
  const { stateSync } = report;
  return {
    chain: {
      height: report.stage === 'running' ? report.height : 0,
      catchingUp: report.catchingUp || report.stage !== 'running',
      blockAgeMs:
        report.blockTime === undefined ? Number.POSITIVE_INFINITY : now - Date.parse(report.blockTime),
      ...(stateSync?.stage === 'restoring' && { restoring: stateSync }),
      ...(stateSync?.stage === 'discovering' && stateSync.refused && { refused: stateSync.refused }),
    },
  };
}

function checksOf(
  view: NodeView,
  { checks, client, slots }: GatherDeps,
  { record, now }: { readonly record: MigrationRecord; readonly now: number },
): Pick<ObservedState, 'checks'> {
  const host = view.pod?.status?.podIP;
  const own = reportChecks(view, record, now);
  if (host === undefined || own === undefined) return {};
  const { spec, metadata } = view.node;
  if (!spec.migration.verify.traceLatest) return { checks: own };
  const asked = checks.get(`${metadata.uid} ${host} ${record.attempt}`, CHECK_AGE_MS, async () => [
    await slots.run(metadata.namespace, () => traceCheck(host)),
    ...(wantsLog(spec, record) ? [await logCheck(client, view).catch(() => NO_LOG)] : []),
  ]);
  return asked ? { checks: [...own, ...asked] } : {};
}

const NO_LOG = {
  name: 'startup lines',
  ok: true,
  detail: 'the log cannot be read; the Job reads its record',
};
