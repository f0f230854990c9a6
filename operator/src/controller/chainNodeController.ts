import type { Logger } from '@chain/platform';
import { PORTS } from '@chain/platform/contract';
import type { CounterMetric, MetricsRegistry } from '@chain/platform/metrics';
import { type ChainNode, FINALIZERS } from '../api/index.ts';
import { addFinalizer, isOfEndingNamespace, KINDS, type KubeClient, type ObjectRef } from '../kube/index.ts';
import type { NodeObserver } from '../observe/index.ts';
import { partOf } from '../plan/index.ts';
import { CHAIN_NODE, nodeNames } from '../resources/index.ts';
import type { MigrationPass, NodeView } from '../task/index.ts';
import { type CachedObjects, ObjectApplier } from './chainNode/applyObject.ts';
import { finishDeletion } from './chainNode/deletion.ts';
import { type Fault, faultOf, lookAfter } from './chainNode/faults.ts';
import { type Groundwork, layGround } from './chainNode/groundwork.ts';
import { type Done, statusOf } from './chainNode/passStatus.ts';
import { adminOrigin } from './chainNode/podFacts.ts';
import { markPod } from './chainNode/podMarks.ts';
import { type Rest, RestingNodes, type SeenNodes } from './chainNode/restingNodes.ts';
import { isMoving } from './chainNode/telling.ts';
import { applyWorkload, type WorkloadPass } from './chainNode/workload.ts';
import type { HeightPace } from './heightPace.ts';
import type { Migrations } from './migrations.ts';
import { statusChanges } from './statusChanges.ts';
import { SignerLeases, type SignerOptions } from './validator/signerLeases.ts';

export interface ChainNodeOptions {
  /** Image of the limiter where a spec names none. */
  readonly limiterImage: string;
  /** Version of the operator. */
  readonly release?: string;
  readonly operatorNamespace?: string;
  readonly signers: SignerOptions;
}

export interface NodeEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  readonly action: string;
}

export interface ChainNodeDeps {
  readonly client: KubeClient;
  readonly observer: Pick<NodeObserver, 'watch' | 'forget' | 'get'>;
  /** `id@host:port` of those that `peers.selector` finds. */
  readonly peersOf: (node: ChainNode) => readonly string[];
  readonly migrations: Migrations;
  readonly pace: HeightPace;
  /** What watches have seen of the objects of nodes; without it each pass asks for them. */
  readonly cached?: CachedObjects;
  /** What they have seen of nodes; without it each look at a node is a whole pass. */
  readonly seen?: SeenNodes;
  readonly tell: (node: ChainNode, event: NodeEvent) => void;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

export interface PassResult {
  readonly requeueAfterMs?: number;
}

/** A node that runs is looked at again this often. */
const LOOK_MS = 30_000;
/** What was written down is done. */
const SOON_MS = 50;

/** Takes one ChainNode at a time to what its spec asks for. */
export class ChainNodeController {
  readonly #options: ChainNodeOptions;
  readonly #deps: ChainNodeDeps;
  readonly #applier: ObjectApplier;
  readonly #leases: SignerLeases;
  readonly #resting: RestingNodes;
  readonly #phases: CounterMetric<'phase'>;

  constructor(options: ChainNodeOptions, deps: ChainNodeDeps) {
    this.#options = options;
    this.#deps = deps;
    const { client, logger, metrics, cached } = deps;
    this.#leases = new SignerLeases(options.signers, client);
    this.#resting = new RestingNodes(deps.seen);
    const drift = metrics.counter<'kind'>({
      name: 'chain_controller_drift_count',
      help: 'Objects of nodes that somebody else had changed, and that were put back.',
      labels: ['kind'],
    });
    this.#phases = metrics.counter<'phase'>({
      name: 'chain_controller_phases_count',
      help: 'Phases that nodes have come into.',
      labels: ['phase'],
    });
    this.#applier = new ObjectApplier({ client, logger, drift, ...(cached && { cached }) });
  }

  async reconcile(ref: ObjectRef): Promise<PassResult> {
    const { client, observer } = this.#deps;
    const key = `${ref.namespace}/${ref.name}`;
    const rest = this.#resting.find(key, observer.get(key), client.clock.now());
    if (rest && !this.#isMoving(rest.done.view)) return this.#lookAtResting(key, rest);
    this.#resting.forget(key);
    return this.#reconcileWhole(ref, key);
  }

  /** Says what is new of a node in which nothing has changed. A conflict, as any failure, leads to a whole pass. */
  async #lookAtResting(key: string, { done, pass }: Rest): Promise<PassResult> {
    let isNews = true;
    try {
      isNews = await this.#writeStatus(done, pass);
    } finally {
      if (isNews) this.#resting.forget(key);
    }
    return { requeueAfterMs: isNews ? SOON_MS : LOOK_MS };
  }

  /** Reads the node itself, not a cache of it: what is decided here may delete. */
  async #reconcileWhole(ref: ObjectRef, key: string): Promise<PassResult> {
    const { client, observer } = this.#deps;
    const changes = this.#resting.changesOf(key);
    const found = await client.get(CHAIN_NODE, ref);
    if (!found) {
      observer.forget(key);
      this.#deps.pace.forget(key);
      this.#applier.forget(ref.namespace ?? '', Object.values(nodeNames(ref.name)));
      return {};
    }
    if (found.metadata.deletionTimestamp !== undefined) return this.#delete(found);
    const node = await addFinalizer(client, CHAIN_NODE, found, FINALIZERS.node);
    const applied = await this.#apply(node, key);
    const { pass, fault = applied.fault } = await this.#migrate(applied);
    const done = { ...applied, ...(fault && { fault }) };
    const isNews = await this.#writeStatus(done, pass);
    if (!isNews)
      this.#resting.note(key, { done, ...(pass && { pass }) }, { changes, atMs: client.clock.now() });
    return this.#againAfter(done, fault ? lookAfter(fault) : pass?.requeueAfterMs);
  }

  #againAfter({ view, workload }: Done, afterMs: number | undefined): PassResult {
    const lookMs = this.#isMoving(view) ? this.#deps.pace.movingMs : LOOK_MS;
    const heights = view.observation ? lookMs : undefined;
    const soon = workload?.restart.state === 'begins' ? SOON_MS : undefined;
    const waits = [afterMs, heights, soon].filter((ms) => ms !== undefined);
    return waits.length === 0 ? {} : { requeueAfterMs: Math.min(...waits) };
  }

  /** A step that the API server, or a policy of the cluster, refuses is said like any other fault. */
  async #migrate({ view, fault }: Done): Promise<{ readonly pass?: MigrationPass; readonly fault?: Fault }> {
    if (view.node.spec.paused || fault) return {};
    try {
      return { pass: await this.#deps.migrations.pass(view) };
    } catch (error) {
      const refused = faultOf(error);
      if (!refused) throw error;
      return { fault: refused };
    }
  }

  #isMoving(view: NodeView): boolean {
    return isMoving(view, this.#deps.migrations.isUnderWay(view.node));
  }

  async #delete(node: ChainNode): Promise<PassResult> {
    const { client, tell } = this.#deps;
    const { mayGo, fault } = await this.#beforeDeletion(node);
    if (fault) {
      tell(node, { type: 'Warning', reason: fault.reason, note: fault.message, action: 'Delete' });
      return { requeueAfterMs: lookAfter(fault) };
    }
    if (!mayGo) return { requeueAfterMs: 2_000 };
    await finishDeletion(client, node);
    this.#applier.scaled.delete(node.metadata.uid);
    const { deletionPolicy } = node.spec;
    const note = deletionPolicy === 'Retain' ? 'volume and node key stay' : 'volume and node key go along';
    tell(node, { type: 'Normal', reason: 'Deleted', note, action: 'Delete' });
    return {};
  }

  /** Where the namespace goes there is nothing to go back to: its volume goes with it, whatever a migration has begun. */
  async #beforeDeletion(node: ChainNode): Promise<{ readonly mayGo: boolean; readonly fault?: Fault }> {
    try {
      return { mayGo: await this.#deps.migrations.beforeDeletion(node) };
    } catch (error) {
      if (isOfEndingNamespace(error)) return { mayGo: true };
      const fault = faultOf(error);
      if (!fault) throw error;
      return { mayGo: false, fault };
    }
  }

  /** Everything that may fail for a fault of the spec ends up in `fault`; what goes away by itself is thrown. */
  async #apply(node: ChainNode, key: string): Promise<Done> {
    const { client, observer, migrations } = this.#deps;
    const { namespace, name } = node.metadata;
    const desired = migrations.desiredOf(node);
    const observation = observer.get(key);
    const base = { node, desired, observation };
    const pod = await this.#applier.read(KINDS.pod, { namespace, name: nodeNames(name).pod });
    const origin = node.spec.fenced ? undefined : adminOrigin(pod, PORTS.nodeAdmin);
    if (origin === undefined) observer.forget(key);
    else observer.watch(key, origin);
    let selectedPeers: readonly string[] = this.#deps.peersOf(node);
    let view: NodeView = { ...base, pod, statefulSet: undefined, claim: undefined, selectedPeers };
    if (node.spec.paused) return this.#look(view);
    let ground: Groundwork = { volume: { claim: undefined }, namedPeers: [] };
    try {
      ground = await layGround({ client, leases: this.#leases }, { ...base, pod });
      selectedPeers = [...selectedPeers, ...ground.namedPeers];
      view = { ...view, selectedPeers };
      if (ground.fault) return { view, ...ground };
      // Of a node that was made again the claim alone knows that another one has taken its place.
      const { signFloor, volume } = ground;
      const { replacement } = volume;
      const desired = replacement === undefined ? base.desired : { ...base.desired, claim: replacement };
      view = { ...view, desired };
      const workload = await applyWorkload(
        { node, desired, selectedPeers, ...this.#options, ...(signFloor && { signFloor }) },
        { client, applier: this.#applier, pod },
      );
      const serves = desired.serves && !node.spec.fenced && partOf(node) !== 'Twin';
      if (pod) await markPod(client, pod, { ...desired, serves });
      this.#tellChanges(node, workload);
      const { statefulSet } = workload;
      return { view: { ...view, statefulSet, claim: ground.volume.claim }, ...ground, workload };
    } catch (error) {
      const fault = faultOf(error);
      if (!fault) throw error;
      return { view, ...ground, fault };
    }
  }

  /** Of a paused node: what is there, untouched. */
  async #look(view: NodeView): Promise<Done> {
    const { client } = this.#deps;
    const { namespace, name } = view.node.metadata;
    const statefulSet = await client.get(KINDS.statefulSet, { namespace, name });
    const pvc = view.node.status?.storage?.pvc ?? nodeNames(name).claim;
    const claim = await client.get(KINDS.persistentVolumeClaim, { namespace, name: pvc });
    return { view: { ...view, statefulSet, claim }, volume: { claim } };
  }

  /** Gives whether there was anything to write. */
  async #writeStatus(done: Done, pass: MigrationPass | undefined): Promise<boolean> {
    const { client, logger, tell } = this.#deps;
    const { node } = done.view;
    const status = statusOf(done, pass, {
      pace: this.#deps.pace,
      nowMs: client.clock.now(),
      ...{ isUnderWay: this.#deps.migrations.isUnderWay(node), isMoving: this.#isMoving(done.view) },
    });
    const changes = statusChanges(node.status, status);
    if (!changes) return false;
    await client.patchStatus(CHAIN_NODE, node, changes);
    if (status.phase !== node.status?.phase) {
      this.#phases.add(1, { phase: String(status.phase) });
      const { name, namespace } = node.metadata;
      logger.info('Phase of a node', { node: name, namespace, from: node.status?.phase, to: status.phase });
    }
    const before = node.status?.conditions?.find(({ type }) => type === 'Stalled');
    if (done.fault && done.fault.message !== before?.message) {
      const { reason, message: note } = done.fault;
      tell(node, { type: 'Warning', reason, note, action: 'Reconcile' });
    }
    return true;
  }

  #tellChanges(node: ChainNode, { changed, putBack }: WorkloadPass): void {
    if (putBack.length > 0) {
      const note = `somebody else has changed what belongs to the node; it was put back: ${putBack.join(', ')}`;
      this.#deps.tell(node, { type: 'Warning', reason: 'DriftCorrected', note, action: 'Apply' });
    }
    if (changed.length === 0) return;
    const note = `applied ${[...new Set(changed)].join(', ')}`;
    this.#deps.tell(node, { type: 'Normal', reason: 'Applied', note, action: 'Apply' });
  }
}
