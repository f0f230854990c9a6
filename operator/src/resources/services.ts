import { PORTS } from '@chain/platform/contract';
import { type ChainNode, LABELS } from '../api/index.ts';
import { manifestOf, selectorOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { nodeNames } from './nodeNames.ts';
import { isServedRole } from './renderInput.ts';

/** For clients, for peers, for metrics. */
export function services(node: ChainNode): Manifest[] {
  return [clientService(node), peerService(node), metricsService(node)];
}

function clientService(node: ChainNode): Manifest {
  const { service } = node.spec;
  return serviceOf(node, nodeNames(node.metadata.name).service, {
    annotations: service.annotations,
    spec: {
      type: service.type,
      selector: { ...selectorOf(node), [LABELS.serving]: 'true' },
      sessionAffinity: service.sessionAffinity,
      ...external(service),
      ports: clientPorts(node),
    },
  });
}

const clientPorts = ({ spec }: ChainNode): object[] => servedPorts(spec.service.ports, isServedRole(spec));

/** Names, numbers and targets of what clients reach. */
export function servedPorts(ports: ChainNode['spec']['service']['ports'], isServed: boolean): object[] {
  const rpc = { name: 'rpc', port: ports.rpc, targetPort: 'rpc', protocol: 'TCP' };
  if (!isServed) return [rpc];
  return [
    { name: 'json-rpc', port: ports.jsonRpc, targetPort: 'json-rpc', protocol: 'TCP' },
    { name: 'json-rpc-ws', port: ports.jsonRpcWs, targetPort: 'json-rpc-ws', protocol: 'TCP' },
    rpc,
    { name: 'grpc', port: ports.grpc, targetPort: 'grpc', protocol: 'TCP', appProtocol: 'kubernetes.io/h2c' },
    { name: 'rest', port: ports.rest, targetPort: 'rest', protocol: 'TCP' },
  ];
}

/**
 * An address of its own, not headless: CometBFT looks a peer's name up once, and would dial the address of a pod that
 * is gone for ever.
 */
function peerService(node: ChainNode): Manifest {
  const { p2p } = node.spec.service;
  return serviceOf(node, nodeNames(node.metadata.name).peers, {
    annotations: p2p.annotations,
    spec: {
      type: p2p.type,
      // Peers must find each other before any of them is ready.
      publishNotReadyAddresses: true,
      selector: selectorOf(node),
      ports: [{ name: 'p2p', port: PORTS.p2p, targetPort: 'p2p', protocol: 'TCP' }],
    },
  });
}

function metricsService(node: ChainNode): Manifest {
  const limiter = {
    name: 'limiter-admin',
    port: PORTS.limiterAdmin,
    targetPort: 'limiter-admin',
    protocol: 'TCP',
  };
  return serviceOf(node, nodeNames(node.metadata.name).metrics, {
    labels: { 'app.kubernetes.io/component': 'metrics' },
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: selectorOf(node),
      ports: [
        { name: 'admin', port: PORTS.nodeAdmin, targetPort: 'admin', protocol: 'TCP' },
        ...(node.spec.proxy.enabled ? [limiter] : []),
      ],
    },
  });
}

interface ServiceParts {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec: object;
}

function serviceOf(node: ChainNode, name: string, { annotations, labels, spec }: ServiceParts): Manifest {
  const head = { apiVersion: 'v1', kind: 'Service', name };
  return manifestOf(
    node,
    { ...head, ...(annotations && { annotations }), ...(labels && { labels }) },
    { spec },
  );
}

/** Only where clients come from outside. */
export function external({
  type,
  externalTrafficPolicy,
}: Pick<ChainNode['spec']['service'], 'type' | 'externalTrafficPolicy'>): object {
  return type === 'ClusterIP' || externalTrafficPolicy === undefined ? {} : { externalTrafficPolicy };
}
