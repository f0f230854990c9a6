import { LABELS } from '../api/index.ts';
import { manifestOf, selectorOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { nodeNames } from './nodeNames.ts';
import { isServedRole, type RenderInput } from './renderInput.ts';

const tcp = (port: string): object => ({ protocol: 'TCP', port });

/**
 * Peers and clients reach what is meant for them; probes, metrics and /drain are for the kubelet (which no policy
 * stops), the operator, and namespaces that are labelled for it. `undefined` where none is wanted.
 */
export function networkPolicy({ node, operatorNamespace }: RenderInput): Manifest | undefined {
  const { networkPolicy: wanted, proxy } = node.spec;
  if (!wanted.enabled) return undefined;
  const clients = isServedRole(node.spec) ? ['json-rpc', 'json-rpc-ws', 'rpc', 'grpc', 'rest'] : ['rpc'];
  const watchers = [
    { namespaceSelector: { matchLabels: { [LABELS.monitoring]: 'true' } } },
    ...(operatorNamespace === undefined ? [] : [operatorPods(operatorNamespace)]),
  ];
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
        policyTypes: ['Ingress'],
        ingress: [
          { ...from(wanted.p2pFrom), ports: [tcp('p2p')] },
          { ...from(wanted.rpcFrom), ports: clients.map(tcp) },
          { from: watchers, ports: ['admin', ...(proxy.enabled ? ['limiter-admin'] : [])].map(tcp) },
        ],
      },
    },
  );
}

function operatorPods(namespace: string): object {
  return {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    podSelector: { matchLabels: { 'app.kubernetes.io/name': 'chain-operator' } },
  };
}

/** An empty list of sources is nobody; a missing one everybody. */
function from(sources: readonly object[] | undefined): object {
  return sources === undefined ? {} : { from: sources };
}
