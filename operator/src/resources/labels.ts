import { API_VERSION, type ChainNode, type ChainNodeFleet, LABELS } from '../api/index.ts';
import type { Manifest } from './manifest.ts';

/** On everything that the operator makes. */
export const MANAGED_BY = { label: 'app.kubernetes.io/managed-by', value: 'chain-operator' } as const;

/** What the pods of a node are found by; it never changes. */
export const selectorOf = ({ metadata: { name } }: ChainNode): Record<string, string> => ({
  'app.kubernetes.io/name': 'chain-node',
  [LABELS.node]: name,
});

export function labelsOf(node: ChainNode): Record<string, string> {
  const fleet = node.metadata.labels?.[LABELS.fleet];
  return {
    ...selectorOf(node),
    'app.kubernetes.io/instance': node.metadata.name,
    'app.kubernetes.io/part-of': 'chain',
    [MANAGED_BY.label]: MANAGED_BY.value,
    [LABELS.chain]: node.spec.chain.id,
    [LABELS.role]: node.spec.role,
    ...(fleet !== undefined && { [LABELS.fleet]: fleet }),
  };
}

/** Goes with the node, or the fleet, when that is deleted. */
export const ownerOf = ({ kind, metadata: { name, uid } }: ChainNode | ChainNodeFleet) => ({
  apiVersion: API_VERSION,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What survives the node is not owned by it. */
  readonly survives?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Head of an object of a node; the rest is `fields`. */
export function manifestOf(
  node: ChainNode,
  { apiVersion, kind, name, annotations, survives, labels }: Named,
  fields: Readonly<Record<string, unknown>>,
): Manifest {
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: node.metadata.namespace,
      labels: { ...labelsOf(node), ...labels },
      ...(annotations && Object.keys(annotations).length > 0 && { annotations }),
      ...(!survives && { ownerReferences: [ownerOf(node)] }),
    },
    ...fields,
  };
}
