import type { GaugeSample, MetricsRegistry } from '@chain/platform/metrics';
import type { ChainNode, ChainNodeFleet, Condition } from '../api/index.ts';
import type { Observation } from '../observe/index.ts';

export interface GaugedResources {
  nodes(): readonly ChainNode[];
  fleets(): readonly ChainNodeFleet[];
  /** Of a node, by `namespace/name`. */
  observed(key: string): Observation | undefined;
  /** Of several processes one tells, so that no alert fires twice. */
  isTelling(): boolean;
}

/** Series follow from how many resources there are; beyond so many, by name, they are only counted. */
const MOST = 2_000;

type Row<T> = (resource: T) => Iterable<{ readonly labels?: GaugeSample['labels']; readonly value: number }>;

/**
 * What alerts and dashboards ask of nodes and fleets by name. The labels are not `namespace`, which Prometheus puts there
 * itself. Conditions have the time since when they hold as their value, so that an alert needs no history.
 */
export function openResourceGauges(metrics: MetricsRegistry, resources: GaugedResources): void {
  const { observed, isTelling } = resources;
  const gauge =
    <T extends ChainNode | ChainNodeFleet>(kind: string, list: () => readonly T[]) =>
    (name: string, help: string, row: Row<T>): void =>
      metrics.sampled({
        name: `chain_app_${kind}_${name}`,
        help,
        sample: () => (isTelling() ? samplesOf(kind, first(list()), row) : []),
      });
  const node = gauge('node', resources.nodes);
  const fleet = gauge('fleet', resources.fleets);
  const condition = 'Unix time since when a condition has its status.';
  node('condition_since_seconds', condition, ({ status }) => conditionsOf(status?.conditions));
  fleet('condition_since_seconds', condition, ({ status }) => conditionsOf(status?.conditions));
  node('phase_count', '1 for the phase that a node is in.', ({ status }) =>
    status?.phase === undefined ? [] : [{ labels: { phase: status.phase }, value: 1 }],
  );
  node(
    'migration_phase_since_seconds',
    'Unix time since when a migration is in its phase.',
    migrationOf('phaseStartedAt'),
  );
  node(
    'migration_deadline_seconds',
    'Unix time at which the phase will have taken too long.',
    migrationOf('deadline'),
  );
  node('height_blocks', 'Newest height of a node that answers.', (one) => said(one, ({ height }) => height));
  node('block_time_seconds', 'Unix time of the newest block of a node that answers.', (one) =>
    said(one, ({ blockTime }) => (blockTime === undefined ? undefined : Date.parse(blockTime) / 1000)),
  );
  node('volume_used_ratio', 'Share of its volume that a node has used.', (one) =>
    said(one, ({ volume }) => (volume && volume.size > 0 ? 1 - volume.free / volume.size : undefined)),
  );
  fleet('wanted_nodes', 'Nodes that a fleet shall have.', ({ spec }) => [{ value: spec.replicas }]);
  fleet('ready_nodes', 'Nodes of a fleet that serve.', ({ status }) => [
    { value: status?.readyReplicas ?? 0 },
  ]);
  metrics.gauge({
    name: 'chain_app_resources_untold_count',
    help: `Nodes and fleets beyond the first ${MOST} of each, which have no series of their own.`,
    read: () => beyond(resources.nodes()) + beyond(resources.fleets()),
  });

  function said(
    { metadata }: ChainNode,
    value: (report: NonNullable<Observation['report']>) => number | undefined,
  ): readonly { readonly value: number }[] {
    const { report, problem } = observed(`${metadata.namespace}/${metadata.name}`) ?? {};
    const found = report && problem === undefined ? value(report) : undefined;
    return found === undefined || Number.isNaN(found) ? [] : [{ value: found }];
  }
}

const beyond = (list: readonly unknown[]): number => Math.max(0, list.length - MOST);
const keyOf = ({ metadata }: ChainNode | ChainNodeFleet): string => `${metadata.namespace}/${metadata.name}`;

/** Always the same ones, whatever the order of a cache. */
function first<T extends ChainNode | ChainNodeFleet>(list: readonly T[]): readonly T[] {
  if (list.length <= MOST) return list;
  return [...list].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, MOST);
}

function* samplesOf<T extends ChainNode | ChainNodeFleet>(
  kind: string,
  list: readonly T[],
  row: Row<T>,
): Iterable<GaugeSample> {
  for (const resource of list) {
    const { namespace, name } = resource.metadata;
    for (const { labels, value } of row(resource)) {
      yield { labels: { [`${kind}_namespace`]: namespace, [kind]: name, ...labels }, value };
    }
  }
}

function conditionsOf(conditions: readonly Condition[] = []) {
  return conditions.map(({ type, status, reason, lastTransitionTime }) => ({
    labels: { type, status, reason },
    value: Date.parse(lastTransitionTime) / 1000,
  }));
}

/** Of a migration that has not ended. */
const migrationOf =
  (time: 'phaseStartedAt' | 'deadline'): Row<ChainNode> =>
  ({ status }) => {
    const { phase, finishedAt, [time]: at } = status?.migration ?? {};
    if (phase === undefined || finishedAt !== undefined || at === undefined) return [];
    return [{ labels: { phase }, value: Date.parse(at) / 1000 }];
  };
