import { API_VERSION, type ChainNodeFleet, FLEET_KIND, LABELS } from '../api/index.ts';
import type { Manifest } from './manifest.ts';
import { external, servedPorts } from './services.ts';

/** Whatever is of the fleet goes with it. */
export const fleetOwner = ({ name, uid }: ChainNodeFleet['metadata']) => ({
  ...{ apiVersion: API_VERSION, kind: FLEET_KIND, name, uid },
  ...{ controller: true, blockOwnerDeletion: true },
});

/** One address for all nodes that serve. Filter ids and pending nonces belong to one node: clients stay with theirs. */
export function fleetService({ metadata, spec }: ChainNodeFleet): Manifest {
  const { type, annotations, sessionAffinity, ports } = spec.service;
  return {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { ...headOf(metadata), ...(annotations && { annotations }) },
    spec: {
      type,
      selector: { [LABELS.fleet]: metadata.name, [LABELS.serving]: 'true' },
      sessionAffinity,
      ...external(spec.service),
      ports: servedPorts(ports, true),
    },
  };
}

/** One budget over all nodes; each node that must not be disturbed has one of its own beside it. */
export function fleetBudget({ metadata, spec }: ChainNodeFleet): Manifest {
  return {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
    metadata: headOf(metadata),
    spec: {
      maxUnavailable: spec.disruption.maxUnavailable,
      selector: { matchLabels: { [LABELS.fleet]: metadata.name } },
    },
  };
}

const headOf = (metadata: ChainNodeFleet['metadata']) => ({
  ...{ name: metadata.name, namespace: metadata.namespace },
  labels: {
    'app.kubernetes.io/part-of': 'chain',
    'app.kubernetes.io/managed-by': 'chain-operator',
    [LABELS.fleet]: metadata.name,
  },
  ownerReferences: [fleetOwner(metadata)],
});
