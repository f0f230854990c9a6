import { PORTS } from '@chain/platform/contract';
import type { ChainNode } from '../api/index.ts';
import { nodeNames } from './nodeNames.ts';
import type { RenderInput } from './renderInput.ts';

/** `id@host:port`, one entry an id; those that the spec names win. */
export function peersOf({ node, selectedPeers = [] }: Pick<RenderInput, 'node' | 'selectedPeers'>): string[] {
  const byId = new Map<string, string>();
  for (const peer of [...node.spec.peers.static, ...[...selectedPeers].sort()]) {
    const [id = ''] = peer.split('@');
    if (!byId.has(id)) byId.set(id, peer);
  }
  return [...byId.values()];
}

/** Where others of the cluster reach a node: by its Service, whose address outlives pods. */
export function peerAddress({ metadata: { name, namespace } }: ChainNode, nodeId: string): string {
  return `${nodeId}@${nodeNames(name).peers}.${namespace}:${PORTS.p2p}`;
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A LabelSelector. An operator that nobody knows matches nothing. */
export function matchesSelector(
  selector: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector as {
    matchLabels?: Readonly<Record<string, string>>;
    matchExpressions?: readonly Expression[];
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels))
  );
}

function holds(
  { key, operator, values = [] }: Expression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
