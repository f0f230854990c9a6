import { ANNOTATIONS, type ChainNode, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Secret } from '../../kube/index.ts';
import {
  claimOf,
  isLabelledFor,
  nodeIdOf,
  nodeKeyRef,
  nodeKeySecret,
  resourceErrors,
  restoredNodeKey,
} from '../../resources/index.ts';
import { holderOf } from './claimUse.ts';
import { type Fault, missing } from './faults.ts';

const FILE = 'node_key.json';

/**
 * The id that peers shall know the node by. Makes the key where the spec leaves that to the operator, and the node has
 * never had one. A Secret that the spec does not name is read only if the operator made it.
 */
export async function ensureNodeKey(client: KubeClient, node: ChainNode): Promise<string | Fault> {
  const { namespace } = node.metadata;
  const { name, key } = nodeKeyRef(node);
  let secret = await client.get(KINDS.secret, { namespace, name });
  if (!secret && node.spec.nodeKey.secretRef) {
    return missing(`Secret "${name}" with the node key, which spec.nodeKey.secretRef names`);
  }
  if (!secret) {
    const kept = await keptKey(client, node);
    if (kept && 'reason' in kept) return kept;
    // Another operator may be first: KUBE_EXISTS, and the next pass reads that one.
    const made = kept ? restoredNodeKey(node, kept.json) : nodeKeySecret(node);
    secret = await client.create(KINDS.secret, made as never);
  }
  if (!node.spec.nodeKey.secretRef && !isLabelledFor(secret, LABELS.node, node.metadata.name))
    throw resourceErrors.nameTaken('Secret', name);
  const text = textOf(secret, key);
  if (text === undefined) return missing(`key "${key}" of Secret "${name}", the node key`);
  return nodeIdOf(text, `Secret "${name}", key "${key}"`);
}

const textOf = (secret: Secret, key: string): string | undefined =>
  secret.data?.[key] === undefined ? undefined : Buffer.from(secret.data[key], 'base64').toString('utf8');

/** The lost key of a node that had one, out of a backup of a migration; `undefined` where there was none. */
async function keptKey(
  client: KubeClient,
  node: ChainNode,
): Promise<{ readonly json: string } | Fault | undefined> {
  const { namespace, name: of, annotations } = node.metadata;
  const claim = await client.get(KINDS.persistentVolumeClaim, { namespace, name: claimOf(node) });
  // A volume of another node brings the key of that one along, and one that is being deleted is nobody's any more.
  const isOwn =
    claim !== undefined && claim.metadata?.deletionTimestamp === undefined && holderOf(claim) === of;
  const noted = isOwn ? claim.metadata?.annotations?.[ANNOTATIONS.nodeId] : undefined;
  const id = node.status?.nodeId ?? noted;
  if (id === undefined && !isOwn) return undefined;
  if (id !== undefined && annotations?.[ANNOTATIONS.newNodeKey] === id) return undefined;
  for (const name of backupsOf(node)) {
    const backup = await client.get(KINDS.secret, { namespace, name });
    const json = backup && isLabelledFor(backup, LABELS.backupOf, of) ? textOf(backup, FILE) : undefined;
    if (json !== undefined && (id === undefined || nodeIdOf(json, `Secret "${name}"`) === id))
      return { json };
  }
  return lost(node, id);
}

function backupsOf({ status }: ChainNode): readonly string[] {
  const { backup, earlierKeys = [] } = status?.migration ?? {};
  return [backup?.secretName, ...earlierKeys.map(({ secretName }) => secretName)].filter(
    (name) => name !== undefined,
  );
}

/** The volume has it as well, and only a person may read that. */
function lost({ metadata, spec }: ChainNode, id = 'unknown'): Fault {
  const { namespace, name } = metadata;
  const { name: secret } = nodeKeyRef({ metadata, spec } as ChainNode);
  const at = `kubectl -n ${namespace}`;
  const file = `${spec.chain.home}/config/${FILE}`;
  const steps = [
    `${at} exec ${name}-0 -c node -- cat ${file} > ${FILE}`,
    `${at} create secret generic ${secret} --from-file=${FILE}`,
    `${at} label secret ${secret} app.kubernetes.io/managed-by=chain-operator ${LABELS.node}=${name}`,
  ];
  const give = `${at} annotate cn ${name} ${ANNOTATIONS.newNodeKey}=${id}`;
  const message = `Secret "${secret}" with the node key is gone, and peers know the node by its id ${id}. The volume has the key: ${steps.join(' && ')}. To let peers know it by another id: ${give}`;
  return { reason: 'KeyLost', message };
}

/** What the spec names and the namespace does not have; `undefined` when all is there. */
export async function missingReference(
  client: KubeClient,
  { metadata, spec }: ChainNode,
): Promise<Fault | undefined> {
  const { namespace } = metadata;
  const { configMapRef, secretRef } = spec.chain.genesis ?? {};
  if (configMapRef) {
    const map = await client.get(KINDS.configMap, { namespace, name: configMapRef.name });
    if (!map) return missing(`ConfigMap "${configMapRef.name}" with the genesis`);
    if (map.data?.[configMapRef.key] === undefined && map.binaryData?.[configMapRef.key] === undefined) {
      return missing(`key "${configMapRef.key}" of ConfigMap "${configMapRef.name}", the genesis`);
    }
  }
  if (!secretRef) return undefined;
  const { name, key } = secretRef;
  const secret = await client.get(KINDS.secret, { namespace, name });
  return secret?.data?.[key] === undefined
    ? missing(`key "${key}" of Secret "${name}", the genesis`)
    : undefined;
}
