import { type ChainNode, type ChainNodeFleet, LABELS } from '../api/index.ts';
import { keyOf } from '../kube/index.ts';
import { isCurrent, partOf } from '../plan/index.ts';
import type {
  ConditionRow,
  FleetRow,
  MigrationView,
  NodeView,
  PastMigration,
  StatusView,
} from './statusView.ts';

/** What the operator's caches hold; events with their time in milliseconds since 1970. */
export interface WatchedResources {
  readonly fleets: readonly ChainNodeFleet[];
  readonly nodes: readonly ChainNode[];
  readonly events: StatusView['events'];
  /** What a node has said last, by `namespace/name`; only who asks nodes knows, and statuses have older heights. */
  readonly said?: (key: string) => LastReport | undefined;
}

export interface LastReport {
  readonly height: number;
  /** Milliseconds since 1970, as `at`. */
  readonly blockTime: number | undefined;
  readonly peers: number | undefined;
  readonly at: number;
}

/** Everything that the page shows, in the order of namespaces and names. */
export function viewOf({ fleets, nodes, events, said }: WatchedResources): StatusView {
  const heightOf = (node: ChainNode): number | undefined => chainOf(node, said).height;
  return {
    fleets: fleets.toSorted(byName).map((fleet) => fleetRow(fleet, membersOf(fleet, nodes).map(heightOf))),
    nodes: nodes.toSorted(byName).map((node) => nodeView(node, said)),
    events: events.toSorted((a, b) => b.at - a.at),
  };
}

function byName(
  { metadata: a }: ChainNode | ChainNodeFleet,
  { metadata: b }: ChainNode | ChainNodeFleet,
): number {
  return a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name, undefined, { numeric: true });
}

/** Those that serve, or shall; not second nodes, nor those that stand by. */
function membersOf({ metadata }: ChainNodeFleet, nodes: readonly ChainNode[]): readonly ChainNode[] {
  return nodes.filter(
    (node) =>
      node.metadata.namespace === metadata.namespace &&
      node.metadata.labels?.[LABELS.fleet] === metadata.name &&
      isCurrent({ part: partOf(node) }),
  );
}

function fleetRow(
  { metadata, spec, status }: ChainNodeFleet,
  known: readonly (number | undefined)[],
): FleetRow {
  const heights = known.filter((height) => height !== undefined);
  const blocked = status?.conditions?.find(({ type }) => type === 'RolloutBlocked');
  const isBlocked = blocked?.status === 'True';
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    replicas: spec.replicas,
    ready: status?.readyReplicas ?? 0,
    synced: status?.syncedReplicas ?? 0,
    split: status?.splitReplicas ?? 0,
    heights: heights.length === 0 ? undefined : [Math.min(...heights), Math.max(...heights)],
    rollout: isBlocked ? (blocked?.message ?? '') : rolloutText(status?.rollout),
    isBlocked,
  };
}

function rolloutText(rollout: NonNullable<ChainNodeFleet['status']>['rollout']): string {
  if (!rollout) return '';
  const { phase, active = [] } = rollout;
  return active.length === 0 ? phase : `${phase}: ${active.join(', ')}`;
}

/** What the node said last, or its status, which is older. */
function chainOf(
  node: ChainNode,
  said: WatchedResources['said'],
): Pick<NodeView, 'height' | 'blockTime' | 'peers' | 'seenAt'> {
  const live = said?.(keyOf(node));
  if (live) return { height: live.height, blockTime: live.blockTime, peers: live.peers, seenAt: live.at };
  const { height, blockTime, peers, checkedAt } = node.status?.chain ?? {};
  return { height, blockTime: timeOf(blockTime), peers, seenAt: timeOf(checkedAt) };
}

function nodeView(node: ChainNode, said: WatchedResources['said']): NodeView {
  const { metadata, spec, status } = node;
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    fleet: metadata.labels?.[LABELS.fleet],
    role: spec.role,
    image: status?.image ?? spec.image ?? '',
    phase: status?.phase ?? 'Pending',
    ...chainOf(node, said),
    backend: status?.stateStore?.backend ?? '',
    isSplit: status?.stateStore?.evmSplit,
    conditions: (status?.conditions ?? []).map(conditionRow),
    migration: migrationView(status?.migration),
    past: (status?.migrationHistory ?? []).map(pastMigration),
  };
}

type Status = NonNullable<ChainNode['status']>;

function conditionRow(condition: NonNullable<Status['conditions']>[number]): ConditionRow {
  const { type, status, reason, message = '', lastTransitionTime } = condition;
  return { type, status, reason, message, since: timeOf(lastTransitionTime) };
}

function migrationView(migration: Status['migration']): MigrationView | undefined {
  if (!migration) return undefined;
  const { id, kind, attempt, phase, progress, message = '', timeline = [] } = migration;
  const steps = timeline.map((step) => ({
    phase: step.phase,
    from: Date.parse(step.startedAt),
    to: timeOf(step.finishedAt),
  }));
  return { id, kind, attempt, phase, percent: progress?.percent, message, steps };
}

function pastMigration(past: NonNullable<Status['migrationHistory']>[number]): PastMigration {
  const { id, kind, result, reason = '', durationSeconds } = past;
  return { id, kind, result, reason, durationMs: durationSeconds * 1000 };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
