import { isCodedError } from '@chain/platform';
import { KINDS, type KubeClient } from '../kube/index.ts';
import type { Action, MigrationRecord, MigrationSettings } from '../plan/index.ts';
import { labelsOf } from '../resources/index.ts';
import { keptKeys, sealingKey } from './jobs/keptKeys.ts';
import { migrationJob } from './jobs/migrationJob.ts';
import type { MigrationView } from './migrationView.ts';

interface ActContext {
  readonly client: KubeClient;
  readonly record: MigrationRecord;
  readonly settings: MigrationSettings;
  readonly shareable: boolean;
}

/** Makes what an action names, once: that somebody has made it already is as good. */
export async function act(view: MigrationView, action: Action, context: ActContext): Promise<void> {
  const { client } = context;
  try {
    if (action.do === 'createJob') {
      const sealTo = await sealsTo(view, action, context);
      await client.create(KINDS.job, migrationJob(view, { ...context, ...action, ...sealTo }));
    } else if (action.do === 'createKeySecret')
      await client.create(
        KINDS.secret,
        await keptKeys(client, view.node, { ...action, id: context.record.id }),
      );
    else if (action.do === 'deleteKeySecret')
      await client.delete(KINDS.secret, { namespace: view.node.metadata.namespace, name: action.name });
    else if (action.do === 'createSnapshot')
      await client.create(KINDS.volumeSnapshot, snapshot(view, action.name, context));
    else await client.create(KINDS.persistentVolumeClaim, restoredClaim(view, action));
  } catch (error) {
    if (!(isCodedError(error) && error.code === 'KUBE_EXISTS')) throw error;
  }
}

async function sealsTo(
  { node }: MigrationView,
  { part }: Extract<Action, { do: 'createJob' }>,
  { client, record, settings }: ActContext,
): Promise<{ sealTo?: string }> {
  const wanted = part === 'backup' && settings.keySecret !== undefined;
  return wanted ? { sealTo: await sealingKey(client, node, record.id) } : {};
}

/** It is not owned by the node: a way back must not go with it. */
function snapshot({ node, claim }: MigrationView, name: string, { settings }: ActContext) {
  const { className } = settings.snapshot ?? {};
  return {
    ...{ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' },
    metadata: { name, namespace: node.metadata.namespace, labels: labelsOf(node) },
    spec: {
      ...(className !== undefined && { volumeSnapshotClassName: className }),
      source: { persistentVolumeClaimName: claim?.metadata?.name },
    },
  };
}

/** As large and of the class as the one that it takes the place of. */
function restoredClaim(
  { node, claim }: MigrationView,
  { name, snapshot: from }: { name: string; snapshot: string },
) {
  const { accessModes, resources, storageClassName } = claim?.spec ?? {};
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: { name, namespace: node.metadata.namespace, labels: labelsOf(node) },
    spec: {
      ...{
        accessModes: accessModes ?? ['ReadWriteOnce'],
        resources: { requests: resources?.requests ?? {} },
      },
      ...(storageClassName !== undefined && { storageClassName }),
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: from },
    },
  };
}
