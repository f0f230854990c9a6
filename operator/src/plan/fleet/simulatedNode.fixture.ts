import type { ChainNode, ChainNodeFleetSpec } from '../../api/index.ts';
import { mayGoNow } from './budget.ts';
import { hasTurn, memberOf, partOf } from './member.ts';

export const SECOND = 1000;
/** How long a node is away after a change of its pod, and for a migration. */
const RESTART_MS = 20 * SECOND;
const MIGRATION_MS = 45 * SECOND;
const PREFLIGHT_MS = 5 * SECOND;

/** What a node finds around it when it looks. */
export interface Around {
  readonly nowMs: number;
  readonly spec: ChainNodeFleetSpec;
  /** Version of the operator, which renders pods its own way. */
  readonly operator: number;
  readonly haltedAt: number | undefined;
  readonly brokenImage: string | undefined;
  /** Whether migrations may begin as far as the trusted servers go. */
  readonly isTrusted: boolean;
  /** As the fleet has seen it. */
  readonly isHalted: boolean;
  readonly isResumed: boolean;
  /** The pod is deleted. */
  readonly left: () => void;
  readonly servingNow: () => ReadonlySet<string>;
}

/** A node as it is, and beside that what its status said when somebody last looked. */
export class SimulatedNode {
  node: ChainNode;
  generation = 1;
  version = 1;
  status: ChainNode['status'];
  /** The pod is not ready before; infinite for one that never will be. */
  readyAtMs: number;
  /** Something of the world keeps it from being ready until then. */
  illUntilMs = 0;
  /** The operator has taken it away, and it is not back. */
  isAway = false;
  /** What the pod was made from, and what the volume holds. */
  #pod: string;
  #written: string | undefined;
  #isSplit: boolean;
  #hasServed = false;
  #hasBegun = false;
  #waitsSinceMs: number | undefined;
  #readySince: { is: boolean; atMs: number };

  constructor(
    node: ChainNode,
    { nowMs, operator, brokenImage }: Around,
    volume: { readonly isSplit?: boolean },
  ) {
    this.node = node;
    this.#pod = podOf(node, operator);
    this.#isSplit = volume.isSplit ?? node.spec.stateStore.evmSplit;
    this.readyAtMs = node.spec.image === brokenImage ? Number.POSITIVE_INFINITY : nowMs + RESTART_MS;
    this.#readySince = { is: false, atMs: nowMs };
  }

  isReady({ nowMs, haltedAt }: Pick<Around, 'nowMs' | 'haltedAt'>): boolean {
    const isUp = nowMs >= this.readyAtMs && nowMs >= this.illUntilMs && haltedAt === undefined;
    return isUp && !this.node.spec.hibernate;
  }

  serves(around: Pick<Around, 'nowMs' | 'haltedAt'>): boolean {
    return this.isReady(around) && partOf(this.node) !== 'Twin';
  }

  /** Spec or annotations of it were written. */
  become(node: ChainNode): void {
    if (JSON.stringify(node.spec) !== JSON.stringify(this.node.spec)) this.generation++;
    this.node = node;
    this.version++;
  }

  /** One pass of the operator over the node. Gives true when it has just been decided that it goes. */
  look(around: Around): boolean {
    if (this.#hasBegun) this.#act(around);
    if (this.isReady(around)) {
      this.isAway = false;
      this.#hasServed = true;
    }
    const asks = this.#asks(around);
    const goes = asks && this.#mayGo(around);
    if (goes) this.#hasBegun = true;
    this.#write(around, asks && !goes);
    return goes;
  }

  #asks({ nowMs, operator, isTrusted }: Around): boolean {
    const { node } = this;
    if (node.spec.hibernate || this.#hasBegun || this.readyAtMs === Number.NEGATIVE_INFINITY) return false;
    if (podOf(node, operator) !== this.#pod) return true;
    if (node.spec.stateStore.evmSplit === this.#isSplit || !this.#hasServed || nowMs < this.readyAtMs) {
      this.#waitsSinceMs = undefined;
      return false;
    }
    this.#waitsSinceMs ??= nowMs;
    return isTrusted && nowMs - this.#waitsSinceMs >= PREFLIGHT_MS;
  }

  #mayGo({ servingNow, ...around }: Around): boolean {
    if (partOf(this.node) === 'Twin') return true;
    const moment = { ...around, servingNow: servingNow() };
    return hasTurn(this.node) && mayGoNow(memberOf(this.object), moment);
  }

  #act({ nowMs, operator, brokenImage, left }: Around): void {
    left();
    const { spec } = this.node;
    const isMigration = podOf(this.node, operator) === this.#pod;
    this.#hasBegun = false;
    this.#waitsSinceMs = undefined;
    this.isAway = true;
    this.#pod = podOf(this.node, operator);
    if (isMigration) this.#isSplit = spec.stateStore.evmSplit;
    const isBroken = spec.image === brokenImage;
    this.readyAtMs = isBroken ? Number.POSITIVE_INFINITY : nowMs + (isMigration ? MIGRATION_MS : RESTART_MS);
  }

  #write(around: Around, asks: boolean): void {
    const { nowMs, haltedAt } = around;
    const isReady = this.isReady(around);
    if (isReady !== this.#readySince.is) this.#readySince = { is: isReady, atMs: nowMs };
    const { spec } = this.node;
    const isSettled = (isReady || spec.hibernate) && !asks && !this.#hasBegun;
    const isConverged = spec.stateStore.evmSplit === this.#isSplit;
    const facts = [isReady, isSettled, asks, isConverged, this.#readySince.atMs, haltedAt, this.#hasServed];
    const key = [...facts, this.generation, partOf(this.node), this.#isSplit, this.readyAtMs].join();
    if (key === this.#written) return;
    this.#written = key;
    const is = (it: boolean) => (it ? 'True' : 'False');
    const at = new Date(this.#readySince.atMs).toISOString();
    const ready = { type: 'Ready', status: is(isReady), lastTransitionTime: at };
    this.status = {
      observedGeneration: this.generation,
      conditions: [
        { ...ready, reason: partOf(this.node) === 'Twin' ? 'StandingBy' : 'Serving' },
        { type: 'Synced', status: is(isReady), reason: haltedAt === undefined ? 'AtHead' : 'Stale' },
        { type: 'Reconciling', status: is(!isSettled) },
        { type: 'DisruptionPending', status: is(asks) },
        { type: 'Stalled', status: is(this.readyAtMs === Number.POSITIVE_INFINITY) },
        { type: 'StateStoreConverged', status: is(isConverged), reason: 'SplitPending' },
      ],
      stateStore: { evmSplit: this.#isSplit, ...(this.#hasServed && { layout: 'current' }) },
      chain: { height: haltedAt ?? 1 },
    } as unknown as ChainNode['status'];
    this.version++;
  }

  /** As the API server has it. */
  get object(): ChainNode {
    const { node, generation, status, version } = this;
    const metadata = { ...node.metadata, generation, resourceVersion: String(version) };
    return { ...node, metadata, ...(status && { status }) } as ChainNode;
  }
}

/** What is in the pod's template: all but the layout, which a migration brings. */
function podOf({ spec }: ChainNode, operator: number): string {
  const known = templates.get(spec);
  const template =
    known ?? JSON.stringify({ ...spec, stateStore: null, deletionPolicy: null, hibernate: null });
  if (known === undefined) templates.set(spec, template);
  return `${operator} ${template}`;
}

const templates = new WeakMap<object, string>();
