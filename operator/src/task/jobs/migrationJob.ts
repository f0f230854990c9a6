import { KEPT_BACKUPS, PORTS } from '@chain/platform/contract';
import { LABELS } from '../../api/index.ts';
import type { Job } from '../../kube/index.ts';
import { type JobPart, type MigrationRecord, type MigrationSettings, targetOf } from '../../plan/index.ts';
import {
  dataMounts,
  dataVolumes,
  homeEnv,
  lockedDown,
  type Manifest,
  nodeNames,
  ownerOf,
} from '../../resources/index.ts';
import type { NodeView } from '../nodeView.ts';

/** On Jobs and their pods: the migration that they belong to. */
export const MIGRATION_LABEL = 'chain.dev/migration';

/** Steps of `chaind migrate evm-split` that a Job runs. Whatever a try left, the same steps go on from there. */
const STEPS: Readonly<Record<JobPart, readonly string[]>> = {
  preflight: ['preflight'],
  backup: ['stop', 'backup'],
  apply: ['stop', 'backup', 'wipe', 'init', 'configure', 'restore', 'seal'],
  verify: ['start', 'verify'],
  abort: ['abort'],
};
const BESIDE: readonly JobPart[] = ['preflight', 'verify'];
const TERMINATION_LOG = '/dev/termination-log';
/** Somebody may want to see it; a Job that was read is not needed any more. */
const KEPT_SECONDS = 24 * 3600;

export interface JobWish {
  readonly name: string;
  readonly part: JobPart;
  readonly record: MigrationRecord;
  readonly settings: MigrationSettings;
  readonly shareable: boolean;
  /** Public key that keys of a backup are sealed to; base64. */
  readonly sealTo?: string;
}

/** A pod of its own, without any right at the API server, that mounts the node's volume. */
export function migrationJob(view: NodeView, wish: JobWish): Manifest & Job {
  const { node, desired } = view;
  const { name, namespace } = node.metadata;
  const { record, part, settings } = wish;
  const labels = { [MIGRATION_LABEL]: record.id, [LABELS.chain]: node.spec.chain.id };
  const limitMs = { preflight: settings.timeoutsMs.backup, abort: settings.timeoutsMs.backup };
  const timeoutMs = { ...settings.timeoutsMs, ...limitMs }[part];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: wish.name,
      namespace,
      labels: { ...labels, [MIGRATION_OF]: name },
      ownerReferences: [ownerOf(node)],
    },
    spec: {
      // One pod, and never another in its place: the machine decides whether there is a next try.
      backoffLimit: 0,
      completions: 1,
      parallelism: 1,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      activeDeadlineSeconds: Math.ceil(timeoutMs / 1000),
      template: { metadata: { labels }, spec: podSpec(view, wish, desired) },
    },
  } as unknown as Manifest & Job;
}

/** On Jobs: the node that they work for. Not the node's own label, by which Services find pods. */
const MIGRATION_OF = 'chain.dev/migration-of';

function podSpec(view: NodeView, wish: JobWish, desired: NodeView['desired']): object {
  const { node, statefulSet, pod } = view;
  const { spec } = node;
  // As the node itself runs, so that files get the same owner and the pod may go where the volume is.
  const like = statefulSet?.spec?.template?.spec;
  const machine = BESIDE.includes(wish.part) ? pod?.spec?.nodeName : undefined;
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(like?.serviceAccountName !== undefined && { serviceAccountName: like.serviceAccountName }),
    ...(like?.securityContext && { securityContext: like.securityContext }),
    ...(like?.imagePullSecrets && { imagePullSecrets: like.imagePullSecrets }),
    ...(like?.nodeSelector && { nodeSelector: like.nodeSelector }),
    ...(like?.tolerations && { tolerations: like.tolerations }),
    ...(like?.priorityClassName !== undefined && { priorityClassName: like.priorityClassName }),
    ...(like?.runtimeClassName !== undefined && { runtimeClassName: like.runtimeClassName }),
    ...(like?.schedulerName !== undefined && { schedulerName: like.schedulerName }),
    // Beside the node there is one machine alone; else wherever the node itself may go.
    ...(machine === undefined
      ? like?.affinity && { affinity: like.affinity }
      : { affinity: onMachine(machine) }),
    containers: [
      {
        name: 'migrate',
        image: spec.image,
        imagePullPolicy: spec.imagePullPolicy,
        command: [spec.chain.binary],
        args: jobArguments(view, wish),
        env: homeEnv(node),
        terminationMessagePath: TERMINATION_LOG,
        terminationMessagePolicy: 'FallbackToLogsOnError',
        securityContext: lockedDown(node),
        resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '2Gi' } },
        volumeMounts: dataMounts(node),
      },
    ],
    volumes: dataVolumes(node, desired),
  };
}

function jobArguments({ node, selectedPeers }: NodeView, wish: JobWish): string[] {
  const { record, part } = wish;
  const { trust, assumeSnapshots } = node.spec.stateSync;
  const { keep } = node.spec.migration.backup;
  const target = targetOf(record);
  const peers = [...new Set([...node.spec.peers.static, ...selectedPeers])];
  const again = record.kind === 'StateSync' || record.goingBack;
  return [
    'migrate',
    'evm-split',
    ...stepsOf(wish),
    '--id',
    record.id,
    '--hold',
    '--yes',
    '--json',
    '--result-file',
    TERMINATION_LOG,
    '--into',
    target.evmSplit ? 'split' : 'single',
    '--backend',
    target.backend,
    ...(trust?.rpcServers ?? []).flatMap((url) => ['--trusted-rpc', url]),
    ...(trust ? ['--delta', String(trust.heightDelta)] : []),
    ...(trust?.minAgreeing === 1 ? ['--allow-single-rpc'] : []),
    ...(assumeSnapshots ? ['--assume-snapshots'] : []),
    ...(peers.length > 0 ? ['--peers', peers.join(',')] : []),
    ...(again ? ['--resync'] : []),
    // What the image does by itself need not be said.
    ...(keep === KEPT_BACKUPS ? [] : ['--keep-backups', String(keep)]),
    ...(record.attempt > 1 ? ['--rotate', String(record.attempt - 1)] : []),
    ...(part === 'verify' ? listenersOf(node.metadata.name) : []),
    ...(wish.sealTo === undefined ? [] : ['--seal-keys-to', wish.sealTo]),
    ...(part === 'apply' ? ['--backup-digest', record.backup?.manifestSha256 ?? ''] : []),
  ];
}

/** The node's pod as the Service for metrics finds it, which is there whether or not it serves clients. */
function listenersOf(name: string): string[] {
  const { metrics } = nodeNames(name);
  return [
    '--node-rpc',
    `http://${metrics}:${PORTS.consensusRpc}`,
    '--node-json-rpc',
    `http://${metrics}:${PORTS.jsonRpcHttp}`,
  ];
}

/** Where no Job fits beside the node, the preflight comes first of what runs without it. */
function stepsOf({ part, shareable }: JobWish): readonly string[] {
  return part === 'backup' && !shareable ? ['preflight', ...STEPS.backup] : STEPS[part];
}

/** A volume that one machine has can be mounted there once more. */
function onMachine(machine: string): object {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [machine] }];
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}
