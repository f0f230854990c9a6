import type { Logger } from '@chain/platform';
import { Slots } from '@chain/platform/client';
import type { ChainNode, ChainNodeStatus, NODE_CONDITIONS, Verdict } from '../api/index.ts';
import { KINDS, type KubeClient } from '../kube/index.ts';
import {
  type Action,
  decide,
  isEnded,
  type MigrationRecord,
  mayBeDeleted,
  migrationWorkload,
  type ObservedState,
} from '../plan/index.ts';
import { CHAIN_NODE, claimOf, type DesiredWorkload, nodeNames } from '../resources/index.ts';
import { type ActContext, act } from './act.ts';
import { Background } from './background.ts';
import { type SealingSeeds, sealingSeeds } from './jobs/sealingSeeds.ts';
import type { NodeView } from './nodeView.ts';
import { statusOf } from './statusOf.ts';
import { verdictsOf } from './verdicts.ts';
import { gather } from './world/gather.ts';

export interface MigrationRunnerDeps {
  readonly client: KubeClient;
  /** Name of the Secret with what backups of keys are sealed to, in the operator's namespace. */
  readonly sealingSecret: { readonly namespace: string; readonly name: string };
  readonly logger: Logger;
  /** Told of each phase that a migration comes into. */
  readonly tell: (
    node: ChainNode,
    event: {
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly note: string;
      readonly action: string;
    },
  ) => void;
}

/** What one pass over a migration leads to. */
export interface MigrationPass {
  /** Members of the status that it changes; written under an optimistic lock, before the next pass. */
  readonly status?: Partial<Pick<ChainNodeStatus, 'migration' | 'migrationHistory' | 'stateStore'>>;
  /** Of `StateStoreConverged`, `MigrationInProgress`, `BackupVerified` and `TrustReady`. */
  readonly verdicts: readonly Verdict<typeof NODE_CONDITIONS>[];
  /** When to look again. */
  readonly requeueAfterMs?: number;
}

const SOON_MS = 50;
const LONG_MS = 600_000;

/** Carries the machine of `plan` out, one decision a pass; everything it must remember is in the node's status. */
export class MigrationRunner {
  readonly #deps: MigrationRunnerDeps;
  readonly #trust: Background<NonNullable<ObservedState['trust']>>;
  readonly #checks: Background<NonNullable<ObservedState['checks']>>;
  readonly #sealing: SealingSeeds;
  readonly #slots = new Slots({ ofGroup: 4, inAll: 32 });

  constructor(deps: MigrationRunnerDeps) {
    this.#deps = deps;
    this.#sealing = sealingSeeds(deps.client, deps.sealingSecret);
    const now = (): number => deps.client.clock.now();
    this.#trust = new Background(now);
    this.#checks = new Background(now);
  }

  /** How the node stands by what its status says. */
  desiredOf({ status }: ChainNode): DesiredWorkload {
    const { layout: _, ...desired } = migrationWorkload(LAYOUT_UNSEEN, recordOf(status));
    return desired;
  }

  isUnderWay({ status }: ChainNode): boolean {
    const record = recordOf(status);
    return record !== undefined && !isEnded(record);
  }

  async pass(view: NodeView): Promise<MigrationPass> {
    const { node } = view;
    const record = recordOf(node.status);
    const observed = await this.#gather(view);
    const decision = decide(observed, record);
    if (decision.do === 'persist') {
      this.#tell(node, record, decision.record);
      const verdicts = verdictsOf(node, decision.record, observed);
      return { status: statusOf(node, decision.record), verdicts, requeueAfterMs: SOON_MS };
    }
    const verdicts = verdictsOf(node, record, observed);
    if (decision.do === 'wait') {
      const store = firstRequest(node);
      if (store) return { status: { stateStore: store }, verdicts, requeueAfterMs: SOON_MS };
      const ms = record === undefined || isEnded(record) ? LONG_MS : decision.ms;
      return { verdicts, requeueAfterMs: Math.max(SOON_MS, ms) };
    }
    const { settings, shareable } = observed;
    await this.#act(view, decision.action, { record: record!, settings, shareable });
    const { id, phase } = record!;
    this.#deps.logger.info('Step of a migration', { ...nameOf(node), id, phase, ...decision.action });
    return { verdicts, requeueAfterMs: SOON_MS };
  }

  /**
   * Takes back what can be taken back, and waits for what works on the volume. True once the node may go; status that
   * leads there is written here, for nobody else writes it any more.
   */
  async beforeDeletion(node: ChainNode): Promise<boolean> {
    const record = recordOf(node.status);
    if (record === undefined || isEnded(record)) return true;
    const view = await this.#viewOf(node);
    const observed = await this.#gather(view);
    if (mayBeDeleted(observed, record)) return true;
    const decision = decide(observed, record);
    const { client } = this.#deps;
    if (decision.do === 'act') {
      const { settings, shareable } = observed;
      await this.#act(view, decision.action, { record, settings, shareable });
    } else if (decision.do === 'persist') {
      await client.patchStatus(CHAIN_NODE, node, statusOf(node, decision.record));
    }
    return false;
  }

  #act(view: NodeView, action: Action, given: Omit<ActContext, 'client' | 'sealing'>): Promise<void> {
    return act(view, action, { client: this.#deps.client, sealing: this.#sealing, ...given });
  }

  async #viewOf(node: ChainNode): Promise<NodeView> {
    const { client } = this.#deps;
    const { name, namespace } = node.metadata;
    const names = nodeNames(name);
    const desired = this.desiredOf(node);
    const [pod, statefulSet, claim] = await Promise.all([
      client.get(KINDS.pod, { namespace, name: names.pod }),
      client.get(KINDS.statefulSet, { namespace, name: names.statefulSet }),
      client.get(KINDS.persistentVolumeClaim, { namespace, name: claimOf(node, desired) }),
    ]);
    return { node, desired, pod, statefulSet, claim, observation: undefined, selectedPeers: [] };
  }

  #gather(view: NodeView): Promise<ObservedState> {
    const { client } = this.#deps;
    return gather(view, { client, trust: this.#trust, checks: this.#checks, slots: this.#slots });
  }

  #tell(
    node: ChainNode,
    before: MigrationRecord | undefined,
    { id, phase, reason, message }: MigrationRecord,
  ): void {
    if (before?.id === id && before.phase === phase) return;
    const isBad = ['Held', 'Blocked', 'RolledBack', 'Aborting', 'RollingBack', 'ResyncOld'].includes(phase);
    const type = isBad ? ('Warning' as const) : ('Normal' as const);
    this.#deps.tell(node, {
      type,
      reason: `Migration${phase}`,
      note: `${id}: ${message}`,
      action: 'Migrate',
    });
    const told = { ...nameOf(node), id, from: before?.phase, to: phase, reason, message };
    this.#deps.logger.info('Phase of a migration', told);
  }
}

/** The first requestId, or none, is what the volume was made with; from then on each new one is a wish. */
function firstRequest({ spec, status }: ChainNode): ChainNodeStatus['stateStore'] | undefined {
  const store = status?.stateStore;
  if (store?.layout !== 'current' || store.requestId !== undefined) return undefined;
  return { ...store, requestId: spec.stateSync.requestId ?? '' };
}

const recordOf = (status: ChainNodeStatus | undefined): MigrationRecord | undefined =>
  status?.migration as MigrationRecord | undefined;

const nameOf = ({ metadata: { name, namespace } }: ChainNode) => ({ node: name, namespace });

/** The home knows its layout; the desired workload does not say it. */
const LAYOUT_UNSEEN = { evmSplit: false, backend: 'pebbledb' } as const;
