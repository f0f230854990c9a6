import { BlockList, isIP } from 'node:net';

type Labels = Readonly<Record<string, string>>;
interface Selector {
  readonly matchLabels?: Labels;
}
interface PolicyPeer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly PolicyPeer[];
  readonly to?: readonly PolicyPeer[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number | string }[];
}
export interface Policy {
  readonly metadata: { readonly namespace?: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** A pod, by its labels and its namespace's; or an address outside the cluster. */
export type Party = { readonly namespace: string; readonly labels: Labels; readonly of?: Labels } | string;

/** Of TCP, unless it says another protocol. */
export type Port = number | `${number}/UDP`;

/** Whether a policy selects a pod of its namespace. */
export const selects = ({ spec }: Policy, labels: Labels): boolean => matches(spec.podSelector, labels);

/** Whether a policy lets a party reach its pods, or its pods reach a party, at a port, as Kubernetes reads it. */
export function lets(policy: Policy, way: 'ingress' | 'egress', party: Party, port: Port): boolean {
  const [number, protocol = 'TCP'] = String(port).split('/');
  const type = way === 'ingress' ? 'Ingress' : 'Egress';
  if (!policy.spec.policyTypes.includes(type)) return true;
  return (policy.spec[way] ?? []).some(({ from, to, ports = [] }) => {
    const peers = (way === 'ingress' ? from : to) ?? [];
    const isPort =
      ports.length === 0 || ports.some((it) => String(it.port) === number && it.protocol === protocol);
    // A list that is empty, or not there, is everybody.
    return isPort && (peers.length === 0 || peers.some((peer) => isParty(peer, party, policy)));
  });
}

function isParty(peer: PolicyPeer, party: Party, { metadata }: Policy): boolean {
  if (typeof party === 'string') return peer.ipBlock !== undefined && isWithin(peer.ipBlock, party);
  if (peer.ipBlock) return false;
  const isNamespace = peer.namespaceSelector
    ? matches(peer.namespaceSelector, {
        'kubernetes.io/metadata.name': party.namespace,
        ...party.of,
      })
    : party.namespace === metadata.namespace;
  return isNamespace && (!peer.podSelector || matches(peer.podSelector, party.labels));
}

const matches = ({ matchLabels = {} }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

function isWithin({ cidr, except = [] }: NonNullable<PolicyPeer['ipBlock']>, address: string): boolean {
  const isIn = (block: string): boolean => {
    const [base, bits] = block.split('/') as [string, string];
    if (isIP(base) !== isIP(address)) return false;
    const list = new BlockList();
    list.addSubnet(base, Number(bits), isIP(base) === 4 ? 'ipv4' : 'ipv6');
    return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  };
  return isIn(cidr) && !except.some(isIn);
}
