import { type ChainNode, FINALIZERS, LABELS } from '../../api/index.ts';
import {
  KINDS,
  type KubeClient,
  type KubeObject,
  type ResourceKind,
  removeFinalizer,
} from '../../kube/index.ts';
import { type MigrationRecord, madeObjects } from '../../plan/index.ts';
import { CHAIN_NODE, isLabelledFor, nodeNames } from '../../resources/index.ts';

/**
 * With `deletionPolicy: Delete` the claims, snapshots and the key that the operator made go as well; what was brought
 * along, or is somebody else's by that name, never does. Then the node may go.
 */
export async function finishDeletion(client: KubeClient, node: ChainNode): Promise<void> {
  const { name, finalizers = [] } = node.metadata;
  if (!finalizers.includes(FINALIZERS.node)) return;
  if (node.spec.deletionPolicy === 'Delete') {
    const names = nodeNames(name);
    if (!node.spec.storage.source?.existingClaim)
      await deleteOurs(client, node, KINDS.persistentVolumeClaim, names.claim);
    for (const { kind, name: made } of madeObjects(node.status?.migration as MigrationRecord | undefined))
      await deleteOurs(client, node, MADE[kind], made);
    if (!node.spec.nodeKey.secretRef) await deleteOurs(client, node, KINDS.secret, names.nodeKey);
  }
  await removeFinalizer(client, CHAIN_NODE, node, FINALIZERS.node);
}

const MADE = {
  PersistentVolumeClaim: KINDS.persistentVolumeClaim as ResourceKind<KubeObject>,
  VolumeSnapshot: KINDS.volumeSnapshot as ResourceKind<KubeObject>,
} as const;

async function deleteOurs<T extends KubeObject>(
  client: KubeClient,
  { metadata }: ChainNode,
  kind: ResourceKind<T>,
  name: string,
): Promise<void> {
  const ref = { namespace: metadata.namespace, name };
  const live = await client.get(kind, ref);
  if (live && isLabelledFor(live, LABELS.node, metadata.name))
    await client.delete(kind, ref, { uid: live.metadata?.uid });
}
