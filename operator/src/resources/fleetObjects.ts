import { type ChainNodeFleet, LABELS } from '../api/index.ts';
import { MANAGED_BY, ownerOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { external, servedPorts } from './services.ts';

/** One address for all nodes that serve. Filter ids and pending nonces belong to one node: clients stay with theirs. */
export function fleetService(fleet: ChainNodeFleet): Manifest {
  const { metadata, spec } = fleet;
  const { type, annotations, sessionAffinity, ports } = spec.service;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...headOf(fleet), ...(annotations && { annotations }) },
    spec: {
      type,
      selector: { [LABELS.fleet]: metadata.name, [LABELS.serving]: 'true' },
      sessionAffinity,
      ...external(spec.service),
      ports: servedPorts(ports, true),
    },
  };
}

/**
 * One budget over all pods that clients are sent to: `floor` of them stay, however many others there are. A second node of
 * a surge, which serves nobody, stands in nobody's way; nor does a pod that is not ready. Each node that must not be
 * disturbed has a budget of its own beside it.
 */
export function fleetBudget(fleet: ChainNodeFleet, floor: number): Manifest {
  const { metadata } = fleet;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: headOf(fleet),
    spec: {
      minAvailable: floor,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: { [LABELS.fleet]: metadata.name, [LABELS.serving]: 'true' } },
    },
  };
}

const headOf = (fleet: ChainNodeFleet) => ({
  name: fleet.metadata.name,
  namespace: fleet.metadata.namespace,
  labels: {
    'app.kubernetes.io/part-of': 'chain',
    [MANAGED_BY.label]: MANAGED_BY.value,
    [LABELS.fleet]: fleet.metadata.name,
  },
  ownerReferences: [ownerOf(fleet)],
});
