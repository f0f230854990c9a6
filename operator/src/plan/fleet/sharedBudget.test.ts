import { describe, expect, it } from 'vitest';
import {
  API_VERSION,
  type ChainDisruptionBudget,
  type ChainNode,
  NODE_KIND,
  nodeSpecOf,
} from '../../api/index.ts';
import { judgeShared, type SharedBudget } from './sharedBudget.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString();

function node(
  name: string,
  { labels = { tier: 'rpc' }, ...status }: Record<string, unknown> = {},
): ChainNode {
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: at(3600) };
  const metadata = { name, namespace: 'chain', uid: `uid-${name}`, labels: labels as Record<string, string> };
  const said = { conditions: [ready], stateStore: { layout: 'current' }, ...status };
  const spec = nodeSpecOf({ chain: { id: 'c' }, image: 'i', storage: { size: '1Gi' } });
  return { apiVersion: API_VERSION, kind: NODE_KIND, metadata, spec, status: said } as unknown as ChainNode;
}

const NODES = ['a', 'b', 'c', 'd'].map((name) => node(name));

function judged(name: string, over: Partial<SharedBudget> = {}, spec: object = {}, disrupted: object[] = []) {
  const nodes = over.nodes ?? NODES;
  const budget = {
    metadata: { name: 'all', namespace: 'chain' },
    spec: { selector: { matchLabels: { tier: 'rpc' } }, maxUnavailable: 1, ...spec },
    status: { disrupted },
  } as unknown as ChainDisruptionBudget;
  const servingNow = new Set(nodes.map(({ metadata }) => metadata.name));
  const asker = nodes.find(({ metadata }) => metadata.name === name)!;
  return judgeShared(asker, { budget, nodes, servingNow, nowMs: NOW, ...over });
}

const entry = (name: string, secondsAgo: number, uid = `uid-${name}`) => ({
  node: name,
  uid,
  since: at(secondsAgo),
});
const names = ({ status }: { status: { disrupted?: readonly { node: string }[] } }) =>
  status.disrupted?.map((one) => one.node);

describe('a budget over several fleets', () => {
  it('lets one go while enough others serve, and notes it', () => {
    const verdict = judged('a');
    expect(verdict.obstacle).toBeUndefined();
    expect(names(verdict)).toEqual(['a']);
    expect(verdict.status).toMatchObject({ expected: 4, floor: 3, serving: 4 });
  });

  it('keeps the next one until that is back, and says who waits for whom', () => {
    const verdict = judged('b', {}, {}, [entry('a', 10)]);
    expect(verdict.obstacle).toContain(
      'waits for a: 1 of at most 1 are changed now (ChainDisruptionBudget all)',
    );
    expect(names(verdict)).toEqual(['a']);
  });

  it('lets one that it has let go ask again', () => {
    expect(judged('a', {}, {}, [entry('a', 10)]).obstacle).toBeUndefined();
  });

  it('forgets one that serves again, is gone, or is another one of the name', () => {
    expect(names(judged('b', {}, {}, [entry('a', 130)]))).toEqual(['b']);
    expect(names(judged('b', {}, {}, [entry('z', 10)]))).toEqual(['b']);
    expect(names(judged('b', {}, {}, [entry('a', 10, 'older')]))).toEqual(['b']);
  });

  it.each([
    ['has begun', { conditions: [{ type: 'DisruptionPending', status: 'True', reason: 'Begun' }] }],
    ['is migrated', { migration: { id: 'm', phase: 'Draining' } }],
  ])('does not forget one that still serves and %s', (_, status) => {
    const nodes = [node('a', status), ...NODES.slice(1)];
    expect(judged('b', { nodes }, {}, [entry('a', 600)]).obstacle).toContain('waits for a');
  });

  it('does not forget one that is away, for however long', () => {
    const servingNow = new Set(['b', 'c', 'd']);
    expect(judged('b', { servingNow }, {}, [entry('a', 9_000)]).obstacle).toContain('waits for a');
  });

  it('lets none go below its floor, whoever has taken the others away', () => {
    const servingNow = new Set(['a', 'b']);
    const verdict = judged('a', { servingNow }, { maxUnavailable: 2 });
    expect(verdict.obstacle).toContain('2 of 4 nodes serve undisturbed, and 2 must stay');
    expect(
      judged('a', { servingNow: new Set(['a', 'b', 'c']) }, { maxUnavailable: 2 }).obstacle,
    ).toBeUndefined();
    expect(judged('a', {}, { maxUnavailable: 2, minServing: 4 }).obstacle).toContain('4 must stay');
  });

  it('does not count nodes of other labels, and those that shall not serve', () => {
    const asleep = { ...node('x'), spec: { ...node('x').spec, hibernate: true } } as ChainNode;
    const nodes = [...NODES, node('other', { labels: {} }), asleep];
    const servingNow = new Set(['a', 'b', 'c', 'd', 'other']);
    expect(judged('a', { nodes, servingNow }).status).toMatchObject({ expected: 4, serving: 4 });
  });
});

it('asks again for the floor where one that was let go serves still, or again', () => {
  const servingNow = new Set(['a', 'c', 'd']);
  expect(judged('a', { servingNow }).obstacle).toContain('nodes serve undisturbed');
  expect(judged('a', { servingNow }, {}, [entry('a', 100)]).obstacle).toContain('nodes serve undisturbed');
});
