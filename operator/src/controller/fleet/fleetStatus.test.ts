import { expect, it } from 'vitest';
import {
  API_VERSION,
  type ChainNode,
  type ChainNodeFleet,
  FLEET_KIND,
  fleetSpecOf,
  NODE_KIND,
  nodeSpecOf,
} from '../../api/index.ts';
import { planFleet } from '../../plan/index.ts';
import { fleetBudget } from '../../resources/index.ts';
import { fleetStatus } from './fleetStatus.ts';

const SPEC = { chain: { id: 'c' }, image: 'i', storage: { size: '1Gi' } };
const NOW_MS = Date.parse('2026-01-02T00:00:00Z');
const headOf = (name: string) => ({
  name,
  namespace: 'n',
  uid: name,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
});
const fleet: ChainNodeFleet = {
  apiVersion: API_VERSION,
  kind: FLEET_KIND,
  metadata: headOf('rpc'),
  spec: fleetSpecOf({ replicas: 3, template: { spec: SPEC } } as never),
};

/** Its nodes as they serve: with the spec that the fleet gives them. */
function serving(): readonly ChainNode[] {
  const { actions } = planFleet({ fleet, nodes: [], nowMs: NOW_MS });
  const manifests = actions.flatMap((action) => (action.kind === 'apply' ? [action.manifest] : []));
  return manifests.map(({ metadata: { name, labels = {}, annotations = {} } }) => {
    const node: ChainNode = {
      apiVersion: API_VERSION,
      kind: NODE_KIND,
      metadata: { ...headOf(name), labels, annotations },
      spec: nodeSpecOf(SPEC as never),
      status: { observedGeneration: 1, phase: 'Running', stateStore: { layout: 'current' } } as never,
    };
    return saying(node, 'Ready', { status: 'True', reason: 'Serving', message: '' });
  });
}

function degradedWith(change: (node: ChainNode) => ChainNode) {
  const nodes = serving().map((node, i) => (i === 1 ? change(node) : node));
  const plan = planFleet({ fleet, nodes, nowMs: NOW_MS });
  const status = fleetStatus({ fleet, plan, rollout: plan.rollout, fault: undefined, nowMs: NOW_MS });
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
    status: 'True',
    reason: 'NodesStalled',
    message: 'rpc-1: ObjectRefused: exceeded quota: small',
  });
  const unready = { status: 'False', reason: 'CrashLooping', message: 'exit code 1' };
  expect(degradedWith((node) => saying(node, 'Ready', unready))).toMatchObject({
    status: 'True',
    reason: 'NodesUnhealthy',
    message: 'rpc-1: CrashLooping: exit code 1',
  });
});

it('its budget keeps the floor among pods that serve, and counts no others', () => {
  const { spec } = fleetBudget(fleet, 2) as unknown as {
    spec: { selector: { matchLabels: object } } & Record<string, unknown>;
  };
  expect(spec).toMatchObject({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  expect(spec.selector.matchLabels).toEqual({ 'chain.dev/fleet': 'rpc', 'chain.dev/serving': 'true' });
  expect(spec.maxUnavailable).toBeUndefined();
});
