import { expect, it } from 'vitest';
import { API_VERSION, type ChainNode, type ChainNodeFleet, LABELS, NODE_KIND } from '../api/index.ts';
import { blockText } from './durationText.ts';
import { viewOf } from './viewOf.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

function nodeOf(name: string, height: number, annotations: Record<string, string> = {}): ChainNode {
  const chain = { height, checkedAt: '2026-03-01T11:55:00Z', blockTime: '2026-03-01T11:54:58Z', peers: 1 };
  const metadata = { namespace: 'n', name, labels: { [LABELS.fleet]: 'f' }, annotations };
  const node = {
    apiVersion: API_VERSION,
    kind: NODE_KIND,
    metadata,
    spec: { role: 'rpc' },
    status: { chain },
  };
  return node as unknown as ChainNode;
}

const FLEET = {
  metadata: { namespace: 'n', name: 'f' },
  spec: { replicas: 2 },
} as unknown as ChainNodeFleet;
const NODES = [nodeOf('f-0', 10), nodeOf('f-1', 12), nodeOf('f-1-twin', 3, { 'chain.dev/part': 'Twin' })];
const RESOURCES = { fleets: [FLEET], nodes: NODES, events: [] };

it('shows what nodes have just said where somebody asks them, and of a fleet those that serve', () => {
  const said = (key: string) =>
    key === 'n/f-0' ? { height: 99, blockTime: NOW - 1000, peers: 7, at: NOW - 500 } : undefined;
  const { nodes, fleets } = viewOf({ ...RESOURCES, said });
  expect(nodes[0]).toMatchObject({ height: 99, peers: 7 });
  expect(blockText(nodes[0]!, NOW)).toBe('1 s ago');
  expect(fleets[0]?.heights).toEqual([12, 99]);
});

it('does not make a block look old because its status is', () => {
  const { nodes, fleets } = viewOf(RESOURCES);
  expect(nodes[0]).toMatchObject({ height: 10, peers: 1 });
  expect(blockText(nodes[0]!, NOW)).toBe('2 s old, 5 min ago');
  expect(fleets[0]?.heights).toEqual([10, 12]);
});
