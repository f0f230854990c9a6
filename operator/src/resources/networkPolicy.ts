import { PORTS } from '@chain/platform/contract';
import { LABELS } from '../api/index.ts';
import { manifestOf, selectorOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { nodeNames } from './nodeNames.ts';
import { isServedRole, type RenderInput } from './renderInput.ts';

/** By number: the limiter's are of an init container, where not every network plugin looks for names. */
const tcp = (port: number): object => ({ protocol: 'TCP', port });

/** Link-local addresses, and what clouds serve a machine's credentials at. */
const BUT_METADATA = [
  { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16', '100.100.100.200/32'] } },
  { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::/32'] } },
];
const DNS = { ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })) };

/**
 * Peers and clients reach what is meant for them; probes, metrics and /drain are for the kubelet (which no policy
 * stops), the operator, and namespaces that are labelled for it. The operator, and nodes and Jobs of the same chain in
 * the namespace, always reach what migrations, surges and state syncs ask. A node reaches names, peers, and anything
 * else outside the cluster but metadata. `undefined` where none is wanted.
 */
export function networkPolicy(input: RenderInput): Manifest | undefined {
  const { node } = input;
  if (!node.spec.networkPolicy.enabled) return undefined;
  return manifestOf(
    node,
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      name: nodeNames(node.metadata.name).networkPolicy,
    },
    {
      spec: {
        podSelector: { matchLabels: selectorOf(node) },
        policyTypes: ['Ingress', 'Egress'],
        ingress: ingress(input),
        egress: egress(input),
      },
    },
  );
}

function ingress({ node, operatorNamespace }: RenderInput): object[] {
  const { networkPolicy: wanted, proxy, chain } = node.spec;
  const asked = [PORTS.consensusRpc, ...(isServedRole(node.spec) ? [PORTS.jsonRpcHttp] : [])];
  const clients = isServedRole(node.spec)
    ? [...asked, PORTS.jsonRpcWebSocket, PORTS.grpc, PORTS.rest]
    : asked;
  const operator = operatorNamespace === undefined ? [] : [operatorPods(operatorNamespace)];
  const watchers = [{ namespaceSelector: { matchLabels: { [LABELS.monitoring]: 'true' } } }, ...operator];
  const sameChain = { podSelector: { matchLabels: { [LABELS.chain]: chain.id } } };
  return [
    ...from(wanted.p2pFrom, [PORTS.p2p]),
    ...from(wanted.rpcFrom, clients),
    ...from([sameChain, ...operator], asked),
    ...from(watchers, [PORTS.nodeAdmin, ...(proxy.enabled ? [PORTS.limiterAdmin] : [])]),
  ];
}

function egress({ node }: RenderInput): object[] {
  const anyNode = { matchLabels: { 'app.kubernetes.io/name': 'chain-node' } };
  return [
    DNS,
    // Network plugins do not count pods among addresses: those of other namespaces are named too.
    { to: [{ namespaceSelector: {}, podSelector: anyNode }, ...BUT_METADATA] },
    ...(node.spec.networkPolicy.egress ?? []),
  ];
}

/** Whatever its release and its chart are called. */
function operatorPods(namespace: string): object {
  return {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    podSelector: { matchLabels: { [LABELS.component]: 'operator' } },
  };
}

/** No sources are everybody; of an empty list, which Kubernetes takes for everybody too, there is no rule. */
function from(sources: readonly object[] | undefined, ports: readonly number[]): object[] {
  if (sources?.length === 0) return [];
  return [{ ...(sources && { from: sources }), ports: ports.map(tcp) }];
}
