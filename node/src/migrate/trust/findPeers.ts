import { type Peer, portOf } from './consensusClient.ts';
import type { TrustedServer } from './resolveTrust.ts';

/** More would be no help, and every one is dialled. */
const MAX_PEERS = 20;

interface PeerOptions {
  readonly given: readonly string[];
  readonly ownId: string;
  /** So many times others come first than at first. */
  readonly rotate?: number;
}

/** The same in the same order, begun `turns` further on. */
export function rotated<T>(items: readonly T[], turns: number): T[] {
  const at = items.length === 0 ? 0 : turns % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/**
 * `id@host:port` of whom a node can sync from: those given, the trusted servers themselves, and who they are
 * connected to; without the node's own id.
 */
export async function findPeers(
  servers: readonly TrustedServer[],
  { given, ownId, rotate = 0 }: PeerOptions,
): Promise<string[]> {
  const byId = new Map<string, string>();
  for (const peer of given) byId.set(peer.split('@')[0]!, peer);
  const found: Peer[] = servers.flatMap(({ client, status }) => {
    const port = portOf(status.listenAddress);
    return port === undefined ? [] : [{ id: status.nodeId, host: new URL(client.url).hostname, port }];
  });
  for (const { client } of servers) found.push(...(await client.peers()));
  for (const { id, host, port } of rotated(found, rotate * MAX_PEERS)) {
    if (!byId.has(id) && byId.size < MAX_PEERS) {
      byId.set(id, `${id}@${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`);
    }
  }
  byId.delete(ownId);
  return [...byId.values()];
}
