import { type ChainNode, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient } from '../../kube/index.ts';
import { isLabelledFor, nodeIdOf, nodeKeyRef, nodeKeySecret, resourceErrors } from '../../resources/index.ts';
import { type Fault, missing } from './faults.ts';

/**
 * The id that peers shall know the node by. Makes the key where the spec leaves that to the operator. A Secret that the
 * spec does not name is read only if the operator made it.
 */
export async function ensureNodeKey(client: KubeClient, node: ChainNode): Promise<string | Fault> {
  const { namespace } = node.metadata;
  const { name, key } = nodeKeyRef(node);
  let secret = await client.get(KINDS.secret, { namespace, name });
  if (!secret && node.spec.nodeKey.secretRef) {
    return missing(`Secret "${name}" with the node key, which spec.nodeKey.secretRef names`);
  }
  // Another operator may be first: KUBE_EXISTS, and the next pass reads that one.
  secret ??= await client.create(KINDS.secret, nodeKeySecret(node) as never);
  if (!node.spec.nodeKey.secretRef && !isLabelledFor(secret, LABELS.node, node.metadata.name))
    throw resourceErrors.nameTaken('Secret', name);
  const text = secret.data?.[key];
  if (text === undefined) return missing(`key "${key}" of Secret "${name}", the node key`);
  return nodeIdOf(Buffer.from(text, 'base64').toString('utf8'), `Secret "${name}", key "${key}"`);
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
  const secrets = [
    ...(secretRef ? [{ ...secretRef, what: 'the genesis' }] : []),
    ...(spec.validatorKey ? [{ ...spec.validatorKey.secretRef, what: 'the validator key' }] : []),
  ];
  for (const { name, key, what } of secrets) {
    const secret = await client.get(KINDS.secret, { namespace, name });
    if (secret?.data?.[key] === undefined) return missing(`key "${key}" of Secret "${name}", ${what}`);
  }
  return undefined;
}
