import { type ChainNode, type ChainNodeFleet, fleetSpecOf } from '../../api/index.ts';
import type { FleetAction, FleetPlan } from './fleetWorld.ts';
import { planFleet } from './planFleet.ts';
import { mergePatch } from './wantedNode.ts';

export const SECOND = 1000;
/** The operator looks this often. */
const STEP_MS = 5 * SECOND;
/** How long a node is away after a change of its spec. */
const RESTART_MS = 20 * SECOND;
const START_MS = Date.parse('2026-01-01T00:00:00Z');

export type Given = Parameters<typeof fleetSpecOf>[0];

export function fleetOf(spec: Given, annotations: Record<string, string> = {}): ChainNodeFleet {
  const template = { spec: { chain: { id: 'chain-1' }, storage: { size: '1Gi' }, image: 'node:1' } };
  const given = mergePatch({ template }, spec) as Given;
  return {
    apiVersion: 'chain.dev/v1alpha1',
    kind: 'ChainNodeFleet',
    metadata: {
      name: 'rpc',
      namespace: 'chain',
      uid: 'f',
      annotations,
    } as unknown as ChainNodeFleet['metadata'],
    spec: fleetSpecOf(given),
  };
}

/** Nodes that take their time, carry out what is planned, and may break. */
export class SimulatedFleet {
  nowMs = START_MS;
  fleet: ChainNodeFleet;
  readonly nodes = new Map<string, { node: ChainNode; readyAtMs: number; generation: number }>();
  readonly seen: string[] = [];
  /** Nodes that never come back once they are changed to an image of this name. */
  brokenImage: string | undefined;
  comparison: 'Same' | 'Different' | undefined;

  constructor(fleet: ChainNodeFleet) {
    this.fleet = fleet;
  }

  /** One look of the operator, and what follows at once. */
  look(): FleetPlan {
    const plan = planFleet({ fleet: this.fleet, nodes: this.list(), nowMs: this.nowMs });
    for (const action of plan.actions) this.#carryOut(action);
    let rollout = plan.rollout;
    if (plan.comparison && this.comparison)
      rollout = {
        ...rollout,
        canary: { ...rollout.canary, result: this.comparison, differences: ['eth_call'] },
      };
    this.fleet = {
      ...this.fleet,
      status: { ...this.fleet.status, rollout } as ChainNodeFleet['status'] & object,
    };
    return plan;
  }

  /** Looks again and again until nothing is left to do, or the time is over. */
  run(forMs: number, onLook: () => void = () => {}): FleetPlan {
    let plan = this.look();
    for (const endMs = this.nowMs + forMs; this.nowMs < endMs; this.nowMs += STEP_MS) {
      plan = this.look();
      onLook();
    }
    return plan;
  }

  change(spec: Given): void {
    this.fleet = { ...this.fleet, spec: fleetSpecOf(mergePatch(this.fleet.spec, spec) as Given) };
  }

  list(): readonly ChainNode[] {
    return [...this.nodes.values()].map(({ node, readyAtMs, generation }) => {
      const isReady = this.nowMs >= readyAtMs && !node.spec.hibernate;
      const isSettled = isReady || node.spec.hibernate;
      const status = (isTrue: boolean) => (isTrue ? 'True' : 'False');
      const conditions = [
        { type: 'Ready', status: status(isReady) },
        { type: 'Synced', status: status(isReady) },
        { type: 'Reconciling', status: status(!isSettled) },
        { type: 'StateStoreConverged', status: 'True', reason: 'Converged' },
      ];
      return {
        ...node,
        metadata: { ...node.metadata, generation },
        status: { observedGeneration: generation, conditions, stateStore: node.spec.stateStore },
      } as unknown as ChainNode;
    });
  }

  get serving(): number {
    return this.list().filter(({ status }) => status?.conditions?.[0]?.status === 'True').length;
  }

  #carryOut(action: FleetAction): void {
    if (action.kind === 'delete') {
      this.seen.push(`delete ${action.name} ${action.deletionPolicy}`);
      this.nodes.delete(action.name);
      return;
    }
    const name = action.kind === 'apply' ? action.manifest.metadata.name : action.name;
    const old = this.nodes.get(name);
    const changed = action.kind === 'apply' ? action.manifest : action.patch;
    const node = mergePatch(
      old?.node ?? { metadata: { uid: name, creationTimestamp: new Date(this.nowMs).toISOString() } },
      changed,
    ) as ChainNode;
    this.seen.push(`${action.reason} ${name}`);
    const isSame = JSON.stringify(old?.node.spec) === JSON.stringify(node.spec);
    const isBroken = node.spec.image === this.brokenImage;
    const readyAtMs =
      isSame && old ? old.readyAtMs : isBroken ? Number.POSITIVE_INFINITY : this.nowMs + RESTART_MS;
    this.nodes.set(name, { node, readyAtMs, generation: (old?.generation ?? 0) + 1 });
  }
}
