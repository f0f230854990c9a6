import { type ChainNode, type ChainNodeFleet, LABELS } from '../api/index.ts';
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
}

/** Everything that the page shows, in the order of namespaces and names. */
export function viewOf({ fleets, nodes, events }: WatchedResources): StatusView {
  return {
    fleets: fleets.toSorted(byName).map(fleetRow),
    nodes: nodes.toSorted(byName).map(nodeView),
    events: events.toSorted((a, b) => b.at - a.at),
  };
}

function byName(
  { metadata: a }: ChainNode | ChainNodeFleet,
  { metadata: b }: ChainNode | ChainNodeFleet,
): number {
  return a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name, undefined, { numeric: true });
}

function fleetRow({ metadata, spec, status }: ChainNodeFleet): FleetRow {
  const heights = status?.heights;
  const blocked = status?.conditions?.find(({ type }) => type === 'RolloutBlocked');
  const isBlocked = blocked?.status === 'True';
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    replicas: spec.replicas,
    ready: status?.readyReplicas ?? 0,
    synced: status?.syncedReplicas ?? 0,
    split: status?.splitReplicas ?? 0,
    heights: heights?.min === undefined || heights.max === undefined ? undefined : [heights.min, heights.max],
    rollout: isBlocked ? (blocked?.message ?? '') : rolloutText(status?.rollout),
    isBlocked,
  };
}

function rolloutText(rollout: NonNullable<ChainNodeFleet['status']>['rollout']): string {
  if (!rollout) return '';
  const { phase, active = [] } = rollout;
  return active.length === 0 ? phase : `${phase}: ${active.join(', ')}`;
}

function nodeView({ metadata, spec, status }: ChainNode): NodeView {
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    fleet: metadata.labels?.[LABELS.fleet],
    role: spec.role,
    image: status?.image ?? spec.image ?? '',
    phase: status?.phase ?? 'Pending',
    height: status?.chain?.height,
    blockTime: timeOf(status?.chain?.blockTime),
    peers: status?.chain?.peers,
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
