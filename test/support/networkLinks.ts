import { type CuttableLink, openLink } from './cuttableLink.ts';
import type { NetworkNode } from './networkNode.ts';

interface Between {
  /** Indices of two nodes: the lower one dials. */
  readonly ends: readonly [number, number];
  readonly link: CuttableLink;
}

/** Makes nodes that are not running yet know each other only through links that can be cut. */
export async function linkNodes(nodes: readonly NetworkNode[]): Promise<NetworkLinks> {
  const links: Between[] = [];
  for (const [i, node] of nodes.entries()) {
    const peers: string[] = [];
    for (const [j, peer] of nodes.entries()) {
      if (i >= j) continue;
      const link = await openLink(peer.p2pPort);
      links.push({ ends: [i, j], link });
      peers.push(`${peer.id}@127.0.0.1:${link.port}`);
    }
    node.edit('config', { 'p2p.persistent_peers': peers.join(','), 'p2p.pex': false });
  }
  return new NetworkLinks(nodes, links);
}

export class NetworkLinks {
  readonly #nodes: readonly NetworkNode[];
  readonly #links: readonly Between[];

  constructor(nodes: readonly NetworkNode[], links: readonly Between[]) {
    this.#nodes = nodes;
    this.#links = links;
  }

  /** Cuts every link between one of these and one of the others. */
  isolate(...inside: readonly NetworkNode[]): void {
    const isInside = (index: number): boolean => inside.includes(this.#nodes[index]!);
    for (const { ends, link } of this.#links) if (isInside(ends[0]) !== isInside(ends[1])) link.cut();
  }

  heal(): void {
    for (const { link } of this.#links) link.heal();
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map(({ link }) => link.close()));
  }
}
