import { ANNOTATIONS, type ChainNode, type ChainNodeFleet, fleetSpecOf } from '../../api/index.ts';
import type { FleetAction, FleetPlan } from './observedFleet.ts';
import { planFleet, takes } from './planFleet.ts';
import { type Around, SECOND, SimulatedNode } from './simulatedNode.fixture.ts';
import { mergePatch } from './wantedNode.ts';

export { SECOND } from './simulatedNode.fixture.ts';
/** The operator looks this often. */
export const STEP_MS = 5 * SECOND;
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

/** Nodes that take their time, carry out what is planned when they may, and may break. */
export class SimulatedFleet {
  nowMs = START_MS;
  fleet: ChainNodeFleet;
  readonly nodes = new Map<string, SimulatedNode>();
  readonly seen: string[] = [];
  /** Nodes that never come back once they are changed to an image of this name. */
  brokenImage: string | undefined;
  comparison: 'Same' | 'Different' | undefined;
  /** What comes of comparing a twin. */
  twins = 'Same';
  operator = 1;
  haltedAt: number | undefined;
  isTrusted = true;
  /** Of volumes that are there before their nodes. */
  keptVolumes: { readonly isSplit?: boolean } = {};
  /** Whether the operator comes to this node this time. */
  comesTo: (name: string) => boolean = () => true;
  /** A node is about to be taken away, or removed. */
  onLeave: (node: SimulatedNode, why: 'change' | 'removal') => void = () => {};

  #blocker: string | undefined;

  constructor(fleet: ChainNodeFleet) {
    this.fleet = fleet;
  }

  /** One look of the operator at everything, and what follows at once. */
  look(): FleetPlan {
    this.#lookAtNodes();
    const world = { fleet: this.fleet, nodes: this.list(), nowMs: this.nowMs };
    let plan = planFleet(world);
    if (plan.actions.some(takes)) plan = planFleet({ ...world, servingNow: this.servingNow() });
    this.#blocker = plan.blocker?.reason;
    // Each node is worked on by itself: some passes come between what is seen and what is done.
    this.#lookAtNodes();
    let rollout = plan.rollout;
    if (plan.actions.every((action) => this.#carryOut(action))) rollout = this.#compared(plan);
    this.fleet = {
      ...this.fleet,
      status: { ...this.fleet.status, rollout } as ChainNodeFleet['status'] & object,
    };
    this.#lookAtNodes();
    return plan;
  }

  /** Looks again and again until the time is over. */
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
    return [...this.nodes.values()].map(({ object }) => object);
  }

  servingNow(): ReadonlySet<string> {
    return new Set([...this.nodes].flatMap(([name, one]) => (one.serves(this) ? [name] : [])));
  }

  get serving(): number {
    return this.servingNow().size;
  }

  /** What kubectl annotate does. */
  annotate(name: string, annotations: Readonly<Record<string, string>>): void {
    const one = this.nodes.get(name)!;
    one.become(mergePatch(one.node, { metadata: { annotations } }) as ChainNode);
  }

  get #around(): Around {
    const { nowMs, fleet, operator, haltedAt, brokenImage, isTrusted } = this;
    const { annotations } = fleet.metadata;
    const revision = fleet.status?.rollout?.revision;
    const isResumed = revision !== undefined && annotations?.[ANNOTATIONS.resume] === revision;
    let known: ReadonlySet<string> | undefined;
    const servingNow = () => {
      known ??= this.servingNow();
      return known;
    };
    const left = () => {
      known = undefined;
    };
    const seen = { isResumed, isHalted: this.#blocker === 'ChainHalted', servingNow, left };
    return { nowMs, spec: fleet.spec, operator, haltedAt, brokenImage, isTrusted, ...seen };
  }

  #lookAtNodes(): void {
    const around = this.#around;
    for (const [name, one] of this.nodes)
      if (this.comesTo(name) && one.look(around)) this.onLeave(one, 'change');
  }

  #compared({ comparisons, rollout }: FleetPlan): FleetPlan['rollout'] {
    for (const { of, candidates } of comparisons)
      if (of === 'twin') this.annotate(candidates[0]!, { [ANNOTATIONS.compared]: this.twins });
    if (!this.comparison || !comparisons.some(({ of }) => of === 'canary')) return rollout;
    const canary = { ...rollout.canary, result: this.comparison, differences: ['rpc-0: eth_call'] };
    return { ...rollout, canary };
  }

  /** False where the API server refuses it, which stops the others. */
  #carryOut(action: FleetAction): boolean {
    if (action.kind === 'delete') {
      this.seen.push(`delete ${action.name} ${action.deletionPolicy}`);
      this.onLeave(this.nodes.get(action.name)!, 'removal');
      this.nodes.delete(action.name);
      return true;
    }
    if (action.kind === 'turn') {
      if (this.nodes.get(action.name)?.object.metadata.resourceVersion !== action.resourceVersion)
        return false;
      this.annotate(action.name, { [ANNOTATIONS.turn]: action.at ?? (null as never) });
      return true;
    }
    const name = action.kind === 'apply' ? action.manifest.metadata.name : action.name;
    const old = this.nodes.get(name);
    const changed = action.kind === 'apply' ? action.manifest : action.patch;
    const made = { metadata: { uid: name, creationTimestamp: new Date(this.nowMs).toISOString() } };
    const node = mergePatch(old?.node ?? made, changed) as ChainNode;
    this.seen.push(`${action.reason} ${name}`);
    if (old?.node.spec.hibernate && !node.spec.hibernate) old.readyAtMs = this.nowMs + 4 * STEP_MS;
    if (old) old.become(node);
    else this.nodes.set(name, new SimulatedNode(node, this.#around, this.keptVolumes));
    return true;
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
