import { describe, expect, it } from 'vitest';
import type { Done } from './passStatus.ts';
import { RestingNodes, type SeenNodes } from './restingNodes.ts';

const KEY = 'chain/rpc-0';
const PASS = { verdicts: [], requeueAfterMs: 600_000 };
const observed = (given: { readonly height: number; readonly free?: number }) =>
  ({ at: 1, report: { height: given.height, volume: { size: 100, free: given.free ?? 50 } } }) as never;

function doneOf(over: Partial<Done> = {}): Done {
  const node = { metadata: { name: 'rpc-0', namespace: 'chain', resourceVersion: '7' } };
  return {
    view: { node, desired: { serves: true, runs: true }, observation: observed({ height: 5 }) },
    volume: { claim: undefined, usedPercent: 50 },
    workload: { restart: { state: 'free' } },
    ...over,
  } as unknown as Done;
}

function resting(done: Partial<Done> = {}, pass: object = PASS) {
  const seen = { version: '7', changes: 3 };
  const watches: SeenNodes = {
    node: () => ({ metadata: { resourceVersion: seen.version } }) as never,
    changesOf: () => seen.changes,
  };
  const nodes = new RestingNodes(watches);
  nodes.note(KEY, { done: doneOf(done), pass: pass as never }, { changes: 3, atMs: 1_000 });
  return { nodes, seen };
}

describe('a node in which nothing is left to do', () => {
  it('is looked at by what it says of itself, with the newest of that', () => {
    const { nodes } = resting();
    const rest = nodes.find(KEY, observed({ height: 9 }), 2_000);
    expect(rest?.done.view.observation?.report?.height).toBe(9);
  });

  it.each([
    ['its spec, or what somebody else has written of its status', { version: '8' }],
    ['an object of it, or a peer', { changes: 4 }],
  ])('is looked at as a whole when %s has changed', (_, change) => {
    const { nodes, seen } = resting();
    Object.assign(seen, change);
    expect(nodes.find(KEY, observed({ height: 9 }), 2_000)).toBeUndefined();
  });

  it('is looked at as a whole when its volume fills, and every few minutes for what nobody tells of', () => {
    const { nodes } = resting();
    expect(nodes.find(KEY, observed({ height: 9, free: 40 }), 2_000)).toBeUndefined();
    expect(nodes.find(KEY, observed({ height: 9 }), 302_000)).toBeUndefined();
  });

  it.each([
    ['has a fault', { fault: { reason: 'ObjectRefused', message: '' } }],
    ['signs, for what it has signed is noted', { signer: { address: 'a' } }],
    ['waits for its restart', { workload: { restart: { state: 'waits', message: '' } } }],
  ])('is none that %s', (_, over) => {
    const { nodes } = resting(over as never);
    expect(nodes.find(KEY, observed({ height: 9 }), 2_000)).toBeUndefined();
  });

  it('is none whose migration waits for something', () => {
    const { nodes } = resting({}, { verdicts: [], requeueAfterMs: 10_000 });
    expect(nodes.find(KEY, observed({ height: 9 }), 2_000)).toBeUndefined();
  });
});
