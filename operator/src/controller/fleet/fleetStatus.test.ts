import { expect, it } from 'vitest';
import type { ChainNode } from '../../api/index.ts';
import { SECOND, standing } from '../../plan/fleet/simulatedFleet.fixture.ts';
import { planFleet } from '../../plan/index.ts';
import { fleetBudget } from '../../resources/index.ts';
import { fleetStatus } from './fleetStatus.ts';

function degradedWith(change: (node: ChainNode) => ChainNode) {
  const { fleet, nowMs, ...simulated } = standing();
  const nodes = [...simulated.nodes.values()].map(({ node }, i) => (i === 1 ? change(node) : node));
  const plan = planFleet({ fleet, nodes, nowMs: nowMs + SECOND });
  const status = fleetStatus({ fleet, plan, rollout: plan.rollout, fault: undefined, nowMs });
  return status.conditions?.find(({ type }) => type === 'Degraded');
}

const saying = (node: ChainNode, type: string, over: object): ChainNode => {
  const others = (node.status?.conditions ?? []).filter((one) => one.type !== type);
  const told = { type, observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z', ...over };
  return { ...node, status: { ...node.status, conditions: [...others, told] } as never };
};

it('a fleet names the node that cannot go on, in the words of that node, also while it serves', () => {
  expect(degradedWith((node) => node)).toMatchObject({ status: 'False', reason: 'AllHealthy' });
  const stalled = { status: 'True', reason: 'ObjectRefused', message: 'exceeded quota: small' };
  expect(degradedWith((node) => saying(node, 'Stalled', stalled))).toMatchObject({
    ...{ status: 'True', reason: 'NodesStalled' },
    message: 'rpc-1: ObjectRefused: exceeded quota: small',
  });
  const unready = { status: 'False', reason: 'CrashLooping', message: 'exit code 1' };
  expect(degradedWith((node) => saying(node, 'Ready', unready))).toMatchObject({
    ...{ status: 'True', reason: 'NodesUnhealthy' },
    message: 'rpc-1: CrashLooping: exit code 1',
  });
});

it('its budget keeps the floor among pods that serve, and counts no others', () => {
  const { spec } = fleetBudget(standing().fleet, 2) as unknown as {
    spec: { selector: { matchLabels: object } } & Record<string, unknown>;
  };
  expect(spec).toMatchObject({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  expect(spec.selector.matchLabels).toEqual({ 'chain.dev/fleet': 'rpc', 'chain.dev/serving': 'true' });
  expect(spec.maxUnavailable).toBeUndefined();
});
