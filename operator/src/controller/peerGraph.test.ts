import { describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND, nodeSpecOf } from '../api/index.ts';
import { PeerGraph } from './peerGraph.ts';

const SELECTOR = { matchLabels: { pool: 'a' } };

function nodeOf(name: string, over: { readonly pool?: string; readonly namespace?: string } = {}): ChainNode {
  const { pool = 'a', namespace = 'n' } = over;
  const peers = { selector: SELECTOR };
  return {
    apiVersion: API_VERSION,
    kind: NODE_KIND,
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '',
      labels: { pool },
    },
    spec: nodeSpecOf({ chain: { id: 'c' }, image: 'i', storage: { size: '1Gi' }, peers } as never),
    status: { nodeId: `id-${name}` } as never,
  };
}

const pool = (count: number): ChainNode[] => Array.from({ length: count }, (_, i) => nodeOf(`rpc-${i}`));
const nameOf = (address: string): string => /^id-([^@]+)@/.exec(address)![1]!;
const drawn = (graph: PeerGraph, nodes: readonly ChainNode[]) =>
  new Map(nodes.map((node) => [node.metadata.name, graph.peersOf(node).map(nameOf)]));

/** Those that are reached from the first over connections, which carry both ways once they are made. */
function reached(edges: ReadonlyMap<string, readonly string[]>): number {
  const both = new Map([...edges.keys()].map((name) => [name, new Set(edges.get(name))]));
  for (const [name, peers] of edges) for (const peer of peers) both.get(peer)?.add(name);
  const seen = new Set(['rpc-0']);
  for (const name of seen) for (const peer of both.get(name) ?? []) seen.add(peer);
  return seen.size;
}

describe('peers by a selector', () => {
  it('are all others while these are few, of the namespace and with the labels, once their id is known', () => {
    const nodes = [...pool(11), nodeOf('x', { pool: 'b' }), nodeOf('y', { namespace: 'elsewhere' })];
    const unknown = { ...nodeOf('rpc-99'), status: {} as never };
    const graph = new PeerGraph(() => [...nodes, unknown]);
    expect(graph.peersOf(nodes[0]!).map(nameOf).sort()).toEqual(
      nodes
        .slice(1, 11)
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
  });

  it.each([12, 100, 1_000])('of %i are ten each, in one piece, with no node that many have', (count) => {
    const nodes = pool(count);
    const edges = drawn(new PeerGraph(() => nodes), nodes);
    for (const [name, peers] of edges) {
      expect(new Set(peers).size).toBe(10);
      expect(peers).not.toContain(name);
    }
    expect(reached(edges)).toBe(count);
    const inbound = new Map<string, number>();
    for (const peers of edges.values())
      for (const peer of peers) inbound.set(peer, (inbound.get(peer) ?? 0) + 1);
    // CometBFT lets 40 others in (max_num_inbound_peers).
    expect(Math.max(...inbound.values())).toBeLessThan(40);
    // Another operator draws the same, in whatever order it has seen them.
    const reversed = nodes.toReversed();
    const again = drawn(new PeerGraph(() => reversed), nodes);
    for (const [name, peers] of edges) expect(new Set(again.get(name))).toEqual(new Set(peers));
  });

  it('change for about ten when one comes or goes, and these alone are told', () => {
    const nodes = pool(300);
    const graph = new PeerGraph(() => nodes);
    const before = drawn(graph, nodes);
    const comes = nodeOf('rpc-new');
    const told = graph.changed({ object: comes });
    nodes.push(comes);
    const behind = drawn(graph, nodes);
    const others = (a: ReadonlyMap<string, readonly string[]>, b: typeof a) =>
      [...a.keys()].filter((name) => !isSame(a.get(name), b.get(name)));
    expect(told.map((key) => key.split('/')[1]).sort()).toEqual(others(before, behind).sort());
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(30);
    const goes = graph.changed({ before: comes });
    nodes.pop();
    expect(goes.map((key) => key.split('/')[1]).sort()).toEqual(others(before, behind).sort());
    expect(others(before, drawn(graph, nodes.slice(0, 300)))).toEqual([]);
    // A status without another id changes nobody's peers.
    expect(graph.changed({ object: nodes[5]!, before: nodes[5]! })).toEqual([]);
    const renamed = { ...nodes[5]!, status: { nodeId: 'id-other' } as never };
    expect(graph.changed({ object: renamed, before: nodes[5]! }).length).toBeGreaterThan(0);
  });
});

const isSame = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  new Set([...a, ...b]).size === new Set(a).size && a.length === b.length;
