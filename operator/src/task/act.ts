import { isCodedError } from '@chain/platform';
import { ANNOTATIONS, LABELS } from '../api/index.ts';
import { KINDS, type KubeClient, type KubeObject, type ResourceKind } from '../kube/index.ts';
import type { Action, MigrationRecord, MigrationSettings } from '../plan/index.ts';
import {
  claimOf,
  isLabelledFor,
  isOwnedBy,
  labelsOf,
  type Manifest,
  resourceErrors,
} from '../resources/index.ts';
import { keptKeys, sealingKey } from './jobs/keptKeys.ts';
import { migrationJob } from './jobs/migrationJob.ts';
import type { SealingSeeds } from './jobs/sealingSeeds.ts';
import type { NodeView } from './nodeView.ts';
import { isMadeFor } from './world/leftovers.ts';

export interface ActContext {
  readonly client: KubeClient;
  readonly sealing: SealingSeeds;
  readonly record: MigrationRecord;
  readonly settings: MigrationSettings;
  readonly shareable: boolean;
}

/**
 * Makes what an action names, once: that this operator, or one before it, has made it already is as good. Throws
 * RESOURCES_NAME_TAKEN where the name is somebody else's.
 */
export async function act(view: NodeView, action: Action, context: ActContext): Promise<void> {
  const { client, record } = context;
  const { name: of, namespace, uid } = view.node.metadata;
  const isTheNodes = (live: KubeObject): boolean => isLabelledFor(live, LABELS.node, of);
  const isBackup = (live: KubeObject): boolean => isLabelledFor(live, LABELS.backupOf, of);
  if (action.do === 'createJob') {
    const sealTo = await sealsTo(view, action, context);
    const job = migrationJob(view, { ...context, ...action, ...sealTo });
    await makeOnce(client, KINDS.job, job, (live) => isOwnedBy(live, uid));
  } else if (action.do === 'createKeySecret') {
    const secret = await keptKeys(context, view.node, { ...action, id: record.id });
    await makeOnce(client, KINDS.secret, secret, isBackup);
  } else if (action.do === 'deleteKeySecret') {
    const ref = { namespace, name: action.name };
    const live = await client.get(KINDS.secret, ref);
    if (live && !isBackup(live)) throw resourceErrors.nameTaken('Secret', action.name);
    if (live) await client.delete(KINDS.secret, ref, { uid: live.metadata?.uid });
  } else if (action.do === 'createSnapshot')
    await makeOnce(client, KINDS.volumeSnapshot, snapshot(view, action.name, context), isTheNodes);
  else if (action.do === 'noteClaim') await noteClaim(view, client, action.by);
  else if (action.do === 'deleteLeftover') await deleteLeftover(view, client, action);
  else await makeOnce(client, KINDS.persistentVolumeClaim, restoredClaim(view, action), isTheNodes);
}

/** It outlives the status: a node that is made again finds its volume. */
async function noteClaim({ node }: NodeView, client: KubeClient, by: string): Promise<void> {
  const ref = { namespace: node.metadata.namespace, name: claimOf(node) };
  const found = await client.get(KINDS.persistentVolumeClaim, ref);
  const { resourceVersion } = found?.metadata ?? {};
  if (!found) return;
  await client.patchMetadata(KINDS.persistentVolumeClaim, ref, {
    annotations: { [ANNOTATIONS.replacedBy]: by },
    resourceVersion,
  });
}

const LEFT = {
  Job: KINDS.job,
  PersistentVolumeClaim: KINDS.persistentVolumeClaim,
  VolumeSnapshot: KINDS.volumeSnapshot,
} as const;

/** Only what the operator has made for this node. */
async function deleteLeftover(
  { node: { metadata } }: NodeView,
  client: KubeClient,
  { kind, name }: Extract<Action, { do: 'deleteLeftover' }>,
): Promise<void> {
  const ref = { namespace: metadata.namespace, name };
  const live = await client.get<KubeObject>(LEFT[kind], ref);
  if (live && isMadeFor(live, metadata)) await client.delete(LEFT[kind], ref, { uid: live.metadata?.uid });
}

async function makeOnce<T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  object: Manifest,
  isOurs: (live: KubeObject) => boolean,
): Promise<void> {
  try {
    await client.create(kind, object as never);
  } catch (error) {
    if (!isCodedError(error, 'KUBE_EXISTS')) throw error;
    const { namespace, name } = object.metadata;
    const live = await client.get(kind, { namespace, name });
    if (live && !isOurs(live)) throw resourceErrors.nameTaken(kind.kind, name);
  }
}

async function sealsTo(
  { node }: NodeView,
  { part }: Extract<Action, { do: 'createJob' }>,
  context: ActContext,
): Promise<{ sealTo?: string }> {
  const { record, settings } = context;
  const wanted = part === 'backup' && settings.keySecret !== undefined;
  return wanted ? { sealTo: await sealingKey(context, node, record.id) } : {};
}

/** It is not owned by the node: a way back must not go with it. */
function snapshot({ node, claim }: NodeView, name: string, { settings }: ActContext) {
  const { className } = settings.snapshot ?? {};
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name, namespace: node.metadata.namespace, labels: labelsOf(node) },
    spec: {
      ...(className !== undefined && { volumeSnapshotClassName: className }),
      source: { persistentVolumeClaimName: claim?.metadata?.name },
    },
  };
}

/** As large and of the class as the one that it takes the place of. */
function restoredClaim(
  { node, claim }: NodeView,
  { name, snapshot: from }: { name: string; snapshot: string },
) {
  const { accessModes, resources, storageClassName } = claim?.spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: node.metadata.namespace, labels: labelsOf(node) },
    spec: {
      accessModes: accessModes ?? ['ReadWriteOnce'],
      resources: { requests: resources?.requests ?? {} },
      ...(storageClassName !== undefined && { storageClassName }),
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: from },
    },
  };
}
