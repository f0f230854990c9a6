import { join } from 'node:path';

/** The ports of one node, in the order of its range. */
const PORT_NAMES = ['p2p', 'consensusRpc', 'grpc', 'rest', 'http', 'webSocket', 'admin'] as const;
const PORTS_PER_NODE = 10;

export type NodePorts = Readonly<Record<(typeof PORT_NAMES)[number], number>>;

/** One node of a local network. */
export interface PlannedNode {
  readonly name: string;
  readonly role: 'validator' | 'rpc';
  readonly home: string;
  readonly ports: NodePorts;
}

/** One that was made. */
export interface LocalnetNode extends PlannedNode {
  /** What peers call it. */
  readonly id: string;
}

export interface LocalnetWish {
  readonly directory: string;
  readonly validators: number;
  readonly rpcNodes: number;
  /** The first port of the range; each node has ten. */
  readonly basePort: number;
}

export function planNodes({ directory, validators, rpcNodes, basePort }: LocalnetWish): PlannedNode[] {
  const named = (role: PlannedNode['role'], count: number) =>
    Array.from({ length: count }, (_, i) => ({ role, name: `${role}${i}` }));
  return [...named('validator', validators), ...named('rpc', rpcNodes)].map(({ role, name }, i) => ({
    name,
    role,
    home: join(directory, name),
    ports: Object.fromEntries(
      PORT_NAMES.map((port, at) => [port, basePort + i * PORTS_PER_NODE + at]),
    ) as NodePorts,
  }));
}
