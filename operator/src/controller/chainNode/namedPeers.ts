import { type ChainNode, PEER_PATTERN } from '../../api/index.ts';
import { KINDS, type KubeClient } from '../../kube/index.ts';
import { type Fault, missing } from './faults.ts';

const PEER = new RegExp(PEER_PATTERN);

/** Peers of the ConfigMap that `peers.configMapRef` names, without the node itself. */
export async function namedPeers(
  client: KubeClient,
  { metadata: { namespace }, spec, status }: ChainNode,
): Promise<readonly string[] | Fault> {
  const { configMapRef } = spec.peers;
  if (!configMapRef) return [];
  const { name, key } = configMapRef;
  const map = await client.get(KINDS.configMap, { namespace, name });
  const text = map?.data?.[key];
  if (text === undefined) return missing(`key "${key}" of ConfigMap "${name}" with peers`);
  const peers = text.split(/[,\s]+/).filter((peer) => peer !== '');
  const wrong = peers.findIndex((peer) => !PEER.test(peer));
  if (wrong >= 0) {
    const message = `ConfigMap "${name}", key "${key}": entry ${wrong + 1} is no peer; write id@host:port, separated by commas`;
    return { reason: 'InvalidSpec', message };
  }
  return peers.filter((peer) => !peer.startsWith(`${status?.nodeId}@`));
}
