import { hostAndPort } from '@chain/platform';
import { PORTS } from '@chain/platform/contract';
import { KINDS, type KubeClient, type ObjectRef } from '../../kube/index.ts';
import { nodeNames } from '../../resources/index.ts';

/** JSON-RPC of the node's own pod: no Service leads to a node that stands by. Throws where it has no address. */
export async function jsonRpcOf(client: KubeClient, { namespace, name }: ObjectRef): Promise<string> {
  const pod = nodeNames(name).pod;
  const found = await client.get(KINDS.pod, { ...(namespace !== undefined && { namespace }), name: pod });
  const ip = found?.status?.podIP;
  if (!ip) throw new RangeError(`pod ${pod} has no address`);
  return `http://${hostAndPort(ip, PORTS.jsonRpcHttp)}`;
}
