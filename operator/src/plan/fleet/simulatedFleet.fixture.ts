import { ANNOTATIONS, type ChainNode, type ChainNodeFleet, fleetSpecOf } from '../../api/index.ts';
import type { FleetAction, FleetPlan } from './fleetWorld.ts';
import { partOf } from './member.ts';
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
  /** What comes of comparing a twin. */
  twins = 'Same';

  constructor(fleet: ChainNodeFleet) {
    this.fleet = fleet;
  }

  /** One look of the operator, and what follows at once. */
  look(): FleetPlan {
    const plan = planFleet({ fleet: this.fleet, nodes: this.list(), nowMs: this.nowMs });
    for (const action of plan.actions) this.#carryOut(action);
    let rollout = plan.rollout;
    for (const { of, candidates } of plan.comparisons) {
      if (of === 'twin') this.annotate(candidates[0]!, { [ANNOTATIONS.compared]: this.twins });
    }
    if (this.comparison && plan.comparisons.some(({ of }) => of === 'canary'))
      rollout = {
        ...rollout,
        canary: { ...rollout.canary, result: this.comparison, differences: ['rpc-0: eth_call'] },
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
        {
          type: 'Ready',
          status: status(isReady),
          reason: partOf(node) === 'Twin' ? 'StandingBy' : 'Serving',
        },
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
    return this.list().filter(({ status }) => {
      const [ready] = status?.conditions ?? [];
      return ready?.status === 'True' && ready.reason === 'Serving';
    }).length;
  }

  /** What kubectl annotate does. */
  annotate(name: string, annotations: Readonly<Record<string, string>>): void {
    const old = this.nodes.get(name)!;
    this.nodes.set(name, { ...old, node: mergePatch(old.node, { metadata: { annotations } }) as ChainNode });
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

export const NEW_IMAGE = { template: { spec: { image: 'node:2' } } };
export const SPLIT = {
  template: {
    spec: { stateStore: { evmSplit: true }, stateSync: { trust: { rpcServers: ['http://a', 'http://b'] } } },
  },
};

/** One whose nodes all serve. */
export function standing(spec: Given = {}): SimulatedFleet {
  const simulated = new SimulatedFleet(fleetOf(spec));
  simulated.run(60 * SECOND);
  if (simulated.serving !== simulated.fleet.spec.replicas) throw new RangeError('it does not stand');
  simulated.seen.length = 0;
  return simulated;
}
