import { boxKeys, CodedError, openSealed } from '@chain/platform';
import type { ChainNode } from '../../api/index.ts';
import { LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Secret } from '../../kube/index.ts';
import { labelsOf, type Manifest, nodeKeyRef } from '../../resources/index.ts';

/** What a backup's Job seals keys to: only who may read the node's key Secret can open it. Base64. */
export async function sealingKey(client: KubeClient, node: ChainNode, id: string): Promise<string> {
  return Buffer.from((await keysOf(client, node, id)).publicKey).toString('base64');
}

/** The keys of a backup as a Secret that outlives node and volume. Throws SEALED_BOX. */
export async function keptKeys(
  client: KubeClient,
  node: ChainNode,
  { id, name, sealed }: { readonly id: string; readonly name: string; readonly sealed: string },
): Promise<Manifest & Secret> {
  const { privateKey } = await keysOf(client, node, id);
  const text = Buffer.from(openSealed(privateKey, Buffer.from(sealed, 'base64'))).toString('utf8');
  const files = Object.entries(JSON.parse(text) as Readonly<Record<string, string>>);
  const { namespace, name: of } = node.metadata;
  return {
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: { name, namespace, labels: { ...labelsOf(node), [LABELS.backupOf]: of } },
    ...{ type: 'Opaque', immutable: true },
    stringData: Object.fromEntries(files.map(([path, content]) => [path.split('/').at(-1), content])),
  } as unknown as Manifest & Secret;
}

async function keysOf(client: KubeClient, node: ChainNode, id: string) {
  const { namespace } = node.metadata;
  const { name, key } = nodeKeyRef(node);
  const secret = await client.get(KINDS.secret, { namespace, name });
  const text = secret?.data?.[key];
  if (text === undefined) {
    throw new CodedError('TASK_NODE_KEY', `Secret "${name}" with the node key is not there; create it again`);
  }
  return boxKeys(Buffer.from(text, 'base64'), id);
}
