import { readJsonBody } from '@chain/platform';
import type { PlannedNode } from './localnetPlan.ts';

/** What a node says of itself; `height` is undefined while it does not answer. */
export interface NodeStatus {
  readonly node: PlannedNode;
  readonly height: number | undefined;
  readonly peers: number;
  readonly catchingUp: boolean;
  /** In the header of `NetworkStatus.comparedHeight`; upper-case hex. */
  readonly appHash: string | undefined;
}

export interface NetworkStatus {
  readonly nodes: readonly NodeStatus[];
  /** The highest block that every answering node has; 0 when there is none. */
  readonly comparedHeight: number;
  /** Whether all app hashes there are the same. */
  readonly agree: boolean;
}

const TIMEOUT_MS = 3000;
const MAX_ANSWER_BYTES = 1024 * 1024;

interface Told {
  readonly node: PlannedNode;
  readonly height: number | undefined;
  readonly peers: number;
  readonly catchingUp: boolean;
}

/** Asks every node's consensus RPC. */
export async function networkStatus(nodes: readonly PlannedNode[]): Promise<NetworkStatus> {
  const told = await Promise.all(nodes.map(ask));
  const heights = told.flatMap(({ height }) => height ?? []);
  const comparedHeight = heights.length > 0 ? Math.min(...heights) : 0;
  const statuses = await Promise.all(
    told.map(async (status) => ({ ...status, appHash: await appHashAt(status, comparedHeight) })),
  );
  const hashes = new Set(statuses.flatMap(({ appHash }) => appHash ?? []));
  return { nodes: statuses, comparedHeight, agree: hashes.size <= 1 };
}

async function ask(node: PlannedNode): Promise<Told> {
  try {
    const [status, network] = await Promise.all([call(node, 'status'), call(node, 'net_info')]);
    const { latest_block_height: height, catching_up: catchingUp } = status.sync_info as {
      latest_block_height: string;
      catching_up: boolean;
    };
    return { node, height: Number(height), peers: Number(network.n_peers), catchingUp };
  } catch {
    return { node, height: undefined, peers: 0, catchingUp: false };
  }
}

async function appHashAt({ node, height }: Told, compared: number): Promise<string | undefined> {
  if (height === undefined || compared === 0) return undefined;
  const found = await call(node, `header?height=${compared}`).catch(() => undefined);
  return (found?.header as { app_hash: string } | undefined)?.app_hash;
}

async function call({ ports }: PlannedNode, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${ports.consensusRpc}/${path}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { result } = (await readJsonBody(answer.body, { maxBytes: MAX_ANSWER_BYTES })) as {
    result?: Record<string, unknown>;
  };
  if (!result) throw new RangeError(`${path} failed`);
  return result;
}
