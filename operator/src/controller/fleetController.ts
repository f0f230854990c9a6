import { isDeepStrictEqual } from 'node:util';
import { isCodedError, type Logger, messageOf, oneLine } from '@chain/platform';
import { Slots } from '@chain/platform/client';
import type { MetricsRegistry } from '@chain/platform/metrics';
import {
  ANNOTATIONS,
  type ChainNode,
  type ChainNodeFleet,
  FIELD_MANAGERS,
  LABELS,
  timestampOf,
} from '../api/index.ts';
import { type KubeClient, type ObjectRef, transientError } from '../kube/index.ts';
import type { compareAnswers } from '../observe/index.ts';
import {
  type FleetAction,
  type FleetPlan,
  floorOf,
  planFleet,
  type Rollout,
  takes,
  type WantedComparison,
} from '../plan/index.ts';
import { CHAIN_NODE, CHAIN_NODE_FLEET, fleetBudget, fleetService } from '../resources/index.ts';
import { servingNow } from '../task/index.ts';
import { ObjectApplier } from './chainNode/applyObject.ts';
import { FAULT_LOOK_MS } from './chainNode/faults.ts';
import type { NodeEvent, PassResult } from './chainNodeController.ts';
import { fleetStatus, type SeenFleet, withoutHeights } from './fleet/fleetStatus.ts';
import { jsonRpcOf } from './fleet/jsonRpcOf.ts';
import type { HeightPace } from './heightPace.ts';
import { statusChanges } from './statusChanges.ts';

export interface FleetDeps {
  readonly client: KubeClient;
  /** All nodes that are known, for what they say of their chain. */
  readonly nodes: () => readonly ChainNode[];
  readonly compareAnswers: typeof compareAnswers;
  readonly pace: HeightPace;
  readonly tell: (fleet: ChainNodeFleet, event: NodeEvent) => void;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

type Fault = SeenFleet['fault'];
type Canary = NonNullable<Rollout['canary']>;

/** Of differences, in an annotation. */
const MAX_NOTED = 1024;

/** Takes one ChainNodeFleet at a time to what its spec asks for, by editing its nodes' specs and nothing else of them. */
export class FleetController {
  readonly #deps: FleetDeps;
  readonly #applier: ObjectApplier;
  /** Answers that are compared are large, and a node may keep them waiting: a namespace holds up its own fleets. */
  readonly #comparing = new Slots({ ofGroup: 1, inAll: 2 });

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    const { client, logger, metrics } = deps;
    const drift = metrics.counter<'kind'>({
      name: 'chain_controller_fleet_drift_count',
      help: 'Objects of fleets that somebody else had changed, and that were put back.',
      labels: ['kind'],
    });
    this.#applier = new ObjectApplier({ client, logger, drift });
  }

  /** Reads fleet and nodes themselves, not a cache of them: budgets are reckoned here. */
  async reconcile(ref: ObjectRef): Promise<PassResult> {
    const { client } = this.#deps;
    const fleet = await client.get(CHAIN_NODE_FLEET, ref);
    // Its nodes and objects are owned by it: the API server deletes them with it.
    if (!fleet || fleet.metadata.deletionTimestamp !== undefined) return {};
    const taken = fleet.spec.paused ? undefined : await this.#applyShared(fleet);
    const nodes = await this.#nodesOf(fleet);
    const nowMs = client.clock.now();
    const world = { fleet, nodes, network: this.#networkOf(fleet), nowMs };
    let plan = planFleet(world);
    // Conditions are as old as the last look at a node: pods say what serves now.
    if (plan.actions.some(takes))
      plan = planFleet({ ...world, servingNow: await servingNow(client, fleet.metadata) });
    const fault = (await this.#carryOut(fleet, plan, nodes)) ?? taken;
    const compared = await this.#compared(fleet, plan);
    const { rollout, problem } = compared;
    await this.#writeStatus({ fleet, plan: { ...plan, rollout }, rollout, fault, nowMs });
    if (problem !== undefined) throw transientError(problem);
    const waits = [plan.againAfterMs, fault && FAULT_LOOK_MS].filter((ms) => ms !== undefined);
    return waits.length === 0 ? {} : { requeueAfterMs: Math.min(...waits) };
  }

  /** What is somebody else's by name is left, and keeps no node from being looked after. */
  async #applyShared(fleet: ChainNodeFleet): Promise<Fault> {
    try {
      await this.#applyObjects(fleet);
      return undefined;
    } catch (error) {
      if (!isCodedError(error, 'RESOURCES_NAME_TAKEN')) throw error;
      return { reason: 'NameTaken', message: error.message };
    }
  }

  async #applyObjects(fleet: ChainNodeFleet): Promise<void> {
    await this.#applier.apply(fleetService(fleet));
    const { name, namespace, uid } = fleet.metadata;
    if (fleet.spec.pdb.enabled) await this.#applier.apply(fleetBudget(fleet, floorOf(fleet.spec)));
    else
      await this.#applier.remove(
        { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name },
        { namespace, uid },
      );
  }

  async #nodesOf({ metadata }: ChainNodeFleet): Promise<readonly ChainNode[]> {
    const { namespace, name } = metadata;
    const listed = await this.#deps.client.list(CHAIN_NODE, {
      namespace,
      labelSelector: `${LABELS.fleet}=${name}`,
    });
    return listed.filter(
      (node) => isOwned(node, metadata.uid) && node.metadata.deletionTimestamp === undefined,
    );
  }

  /** All else that is known of the chain. */
  #networkOf({ metadata, spec }: ChainNodeFleet): readonly ChainNode[] {
    const { id } = spec.template.spec.chain;
    return this.#deps.nodes().filter((node) => node.spec.chain.id === id && !isOwned(node, metadata.uid));
  }

  /** What the API server refuses stops the others too: the next pass begins anew. */
  async #carryOut(
    fleet: ChainNodeFleet,
    { actions }: FleetPlan,
    nodes: readonly ChainNode[],
  ): Promise<Fault> {
    const { tell, logger } = this.#deps;
    for (const action of actions) {
      const fault = await this.#act(fleet, action, nodes);
      const { reason, note } = action;
      if (fault) {
        tell(fleet, { type: 'Warning', reason: fault.reason, note: fault.message, action: reason });
        return fault;
      }
      tell(fleet, { type: 'Normal', reason, note, action: action.kind === 'delete' ? 'Delete' : 'Apply' });
      logger.info('A fleet changes a node', { fleet: fleet.metadata.name, reason, note });
    }
    return undefined;
  }

  async #act(fleet: ChainNodeFleet, action: FleetAction, nodes: readonly ChainNode[]): Promise<Fault> {
    const { client } = this.#deps;
    const { namespace, uid } = fleet.metadata;
    try {
      if (action.kind === 'patch')
        await client.patch(CHAIN_NODE, { namespace, name: action.name }, action.patch);
      else if (action.kind === 'delete') await this.#delete(namespace, action);
      else if (action.kind === 'turn')
        await client.patch(CHAIN_NODE, { namespace, name: action.name }, turnPatch(action));
      else {
        const { name } = action.manifest.metadata;
        const isKnown = nodes.some((node) => node.metadata.name === name);
        const other = isKnown ? undefined : await client.get(CHAIN_NODE, { namespace, name });
        if (other?.metadata.deletionTimestamp !== undefined && isOwned(other, uid))
          throw transientError(`${name} is still being deleted`);
        if (other)
          return { reason: 'NameTaken', message: `ChainNode ${name} is there and not of this fleet` };
        await client.apply(CHAIN_NODE, action.manifest as never, { fieldManager: FIELD_MANAGERS.spec });
      }
      return undefined;
    } catch (error) {
      if (!isCodedError(error, 'KUBE_REFUSED') && !isCodedError(error, 'KUBE_FORBIDDEN')) throw error;
      return { reason: 'NodeRefused', message: `${oneLine(error.message)}; tried again every minute` };
    }
  }

  async #delete(namespace: string, action: Extract<FleetAction, { kind: 'delete' }>): Promise<void> {
    const { client } = this.#deps;
    const { name, uid, deletionPolicy } = action;
    await client.patch(CHAIN_NODE, { namespace, name }, { spec: { deletionPolicy } });
    await client.delete(CHAIN_NODE, { namespace, name }, { uid });
  }

  /** The rollout with what came of comparing answers, where the plan asks for that; a twin's is noted on the twin. */
  async #compared(fleet: ChainNodeFleet, plan: FleetPlan): Promise<{ rollout: Rollout; problem?: string }> {
    let { rollout } = plan;
    for (const comparison of plan.comparisons) {
      const outcome = await this.#compare(fleet, comparison);
      if (typeof outcome === 'string')
        return { rollout: { ...rollout, blockedBy: outcome }, problem: outcome };
      const { differences } = outcome;
      if (comparison.of === 'canary') rollout = { ...rollout, canary: { ...rollout.canary, ...outcome } };
      else await this.#noteTwin(fleet, comparison, differences);
    }
    return { rollout };
  }

  /** Text: why nothing came of it. */
  #compare(fleet: ChainNodeFleet, comparison: WantedComparison) {
    return this.#comparing.run(fleet.metadata.namespace, () => this.#compareNow(fleet, comparison));
  }

  async #compareNow(
    fleet: ChainNodeFleet,
    { of, candidates, against }: WantedComparison,
  ): Promise<string | Required<Pick<Canary, 'result' | 'compared' | 'comparedAt' | 'differences'>>> {
    const { client, compareAnswers } = this.#deps;
    const { namespace } = fleet.metadata;
    let compared = 0;
    const differences: string[] = [];
    try {
      const trusted = await jsonRpcOf(client, { namespace, name: against });
      for (const name of candidates) {
        const outcome = await compareAnswers(await jsonRpcOf(client, { namespace, name }), trusted);
        compared += outcome.compared;
        // Of several canaries it must be said which; a twin's are noted on itself.
        const whose = of === 'canary' ? `${name}: ` : '';
        differences.push(...outcome.differences.map((difference) => `${whose}${difference}`));
      }
    } catch (error) {
      return `answers of ${candidates.join(', ')} could not be compared with those of ${against}: ${messageOf(error)}`;
    }
    const result = differences.length > 0 ? ('Different' as const) : ('Same' as const);
    const comparedAt = timestampOf(client.clock.now());
    return { result, compared, comparedAt, differences: differences.slice(0, 16) };
  }

  async #noteTwin(
    fleet: ChainNodeFleet,
    { candidates, against }: WantedComparison,
    differences: readonly string[],
  ): Promise<void> {
    const { client, tell } = this.#deps;
    const { namespace } = fleet.metadata;
    const name = candidates[0]!;
    const isSame = differences.length === 0;
    const note = isSame ? 'Same' : differences.join('; ').slice(0, MAX_NOTED);
    await client.patchMetadata(
      CHAIN_NODE,
      { namespace, name },
      { annotations: { [ANNOTATIONS.compared]: note } },
    );
    tell(fleet, {
      type: isSame ? 'Normal' : 'Warning',
      reason: isSame ? 'TwinCompared' : 'TwinDiffers',
      note: `${name} beside ${against}: ${note}`,
      action: 'Compare',
    });
  }

  async #writeStatus(seen: SeenFleet): Promise<void> {
    const { fleet, nowMs } = seen;
    const status = fleetStatus(seen);
    const changes = statusChanges(fleet.status, status);
    if (!changes) return;
    const { namespace, name } = fleet.metadata;
    const isNews = !isDeepStrictEqual(withoutHeights(status), withoutHeights(fleet.status));
    if (isNews || this.#deps.pace.mayTell(`fleet ${namespace}/${name}`, nowMs))
      await this.#deps.client.patchStatus(CHAIN_NODE_FLEET, fleet, changes);
  }
}

const isOwned = ({ metadata }: ChainNode, uid: string): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;

/** Refused where the node has begun, or changed otherwise, since it was looked at. */
const turnPatch = ({
  at = null,
  resourceVersion,
}: {
  readonly at?: string | null | undefined;
  readonly resourceVersion: string;
}) => ({
  metadata: { resourceVersion, annotations: { [ANNOTATIONS.turn]: at } },
});
