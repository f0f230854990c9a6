import { type ChainNode, FINALIZERS } from '../../api/index.ts';
import { KINDS, type KubeClient, removeFinalizer } from '../../kube/index.ts';
import { CHAIN_NODE, nodeKeyRef, nodeNames } from '../../resources/index.ts';

/**
 * With `deletionPolicy: Delete` the claim and the key that the operator made go as well; a claim that was brought along,
 * and a Secret that the spec names, never do. Then the node may go.
 */
export async function finishDeletion(client: KubeClient, node: ChainNode): Promise<void> {
  const { name, namespace, finalizers = [] } = node.metadata;
  if (!finalizers.includes(FINALIZERS.node)) return;
  if (node.spec.deletionPolicy === 'Delete') {
    if (!node.spec.storage.source?.existingClaim) {
      await client.delete(KINDS.persistentVolumeClaim, { namespace, name: nodeNames(name).claim });
    }
    if (!node.spec.nodeKey.secretRef)
      await client.delete(KINDS.secret, { namespace, name: nodeKeyRef(node).name });
  }
  await removeFinalizer(client, CHAIN_NODE, node, FINALIZERS.node);
}
