import { boxKeys, isCodedError, openSealed, parseJson } from '@chain/platform';
import { type ChainNode, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Secret } from '../../kube/index.ts';
import { labelsOf, type Manifest, nodeKeyRef } from '../../resources/index.ts';
import type { SealingSeeds } from './sealingSeeds.ts';

interface KeyDeps {
  readonly client: KubeClient;
  readonly sealing: SealingSeeds;
}

/** What a backup's Job seals keys to: the operator alone can open it. Base64. */
export async function sealingKey(
  { sealing }: Pick<KeyDeps, 'sealing'>,
  node: ChainNode,
  id: string,
): Promise<string> {
  const [seed] = await sealing.all();
  return Buffer.from(boxKeys(seed!, purposeOf(node, id)).publicKey).toString('base64');
}

/** The keys of a backup as a Secret that outlives node and volume. Throws SEALED_BOX. */
export async function keptKeys(
  deps: KeyDeps,
  node: ChainNode,
  { id, name, sealed }: { readonly id: string; readonly name: string; readonly sealed: string },
): Promise<Manifest & Secret> {
  const text = Buffer.from(await opened(deps, node, { id, sealed })).toString('utf8');
  const files = Object.entries(parseJson(text) as Readonly<Record<string, string>>);
  const { namespace, name: of } = node.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { ...labelsOf(node), [LABELS.backupOf]: of } },
    type: 'Opaque',
    immutable: true,
    stringData: Object.fromEntries(files.map(([path, content]) => [path.split('/').at(-1), content])),
  } as unknown as Manifest & Secret;
}

/** A key for one migration of one node: a box of another namespace cannot be passed off as this one's. */
const purposeOf = ({ metadata: { namespace, uid } }: ChainNode, id: string): string =>
  `${namespace} ${uid} ${id}`;

async function opened(
  { client, sealing }: KeyDeps,
  node: ChainNode,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): Promise<Uint8Array> {
  const box = Buffer.from(sealed, 'base64');
  const keys = (await sealing.all()).map((seed) => boxKeys(seed, purposeOf(node, id)));
  for (const { privateKey } of [...keys, ...(await nodeKeys(client, node, id))]) {
    try {
      return openSealed(privateKey, box);
    } catch (error) {
      if (!isCodedError(error, 'SEALED_BOX')) throw error;
    }
  }
  return openSealed(keys[0]!.privateKey, box);
}

/** A Job that an operator of an earlier release has made seals to what follows from the node's key. */
async function nodeKeys(client: KubeClient, node: ChainNode, id: string) {
  const { name, key } = nodeKeyRef(node);
  const secret = await client.get(KINDS.secret, { namespace: node.metadata.namespace, name });
  const text = secret?.data?.[key];
  return text === undefined ? [] : [boxKeys(Buffer.from(text, 'base64'), id)];
}
