import type { AlertRow } from './alertRow.ts';
import { OPERATOR_NAMESPACE } from './places.ts';

const SINCE = 'chain_app_node_condition_since_seconds';
const NODE = '{{ $labels.node_namespace }}/{{ $labels.node }}';
const FLEET = '{{ $labels.fleet_namespace }}/{{ $labels.fleet }}';
const KEYS = 'KeyInUse|KeyChanged|SignStateAtRisk';
/** Somebody, or a migration, wants it so. */
const MEANT = 'Paused|Hibernated|Fenced|Migrating|Held|Terminating';

/** Of the operator itself. */
const OPERATOR: readonly AlertRow[] = [
  [
    'ChainOperatorWithoutLeader',
    `absent(chain_kube_leader{namespace="${OPERATOR_NAMESPACE}"} == 1)`,
    '5m',
    'critical',
    'No operator works: nodes are not looked after. Its pods, if there are any, and their logs say why.',
  ],
  [
    'ChainOperatorFails',
    'sum by (namespace, controller) (rate(chain_kube_reconciles_total{outcome="transient"}[15m])) > 0.1',
    '15m',
    'warning',
    'Looks of {{ $labels.controller }} fail again and again; the log of the operator in {{ $labels.namespace }} says why.',
  ],
  [
    'ChainOperatorDeaf',
    'time() - chain_kube_watch_last_activity_seconds > 600',
    '0m',
    'warning',
    '{{ $labels.pod }} has heard nothing of {{ $labels.kind }} for ten minutes.',
  ],
  [
    'ChainOperatorStalls',
    'max by (namespace, pod) (max_over_time(chain_app_event_loop_stall_seconds[10m])) > 3',
    '10m',
    'warning',
    '{{ $labels.pod }} stands still for seconds at a time, and loses its lease at ten: give it a larger CPU request.',
  ],
  [
    'ChainOperatorStuck',
    'max by (namespace, pod) (chain_app_workers_stuck_seconds) > 300',
    '0m',
    'warning',
    'Work waits in {{ $labels.pod }}, and for five minutes no worker has taken any up; at ten it is restarted.',
  ],
];

/** Of nodes, as the operator sees them: a gauge is there from the first case on. */
const NODES: readonly AlertRow[] = [
  [
    'ChainNodeHeld',
    'max by (node_namespace, node) (chain_app_node_phase_count{phase="Held"}) == 1',
    '0m',
    'critical',
    `The migration of ${NODE} has stopped and waits for a person; kubectl describe cn says what can be typed.`,
  ],
  [
    'ChainNodeStalled',
    `max by (node_namespace, node, reason) (time() - ${SINCE}{type="Stalled",status="True",reason!~"MigrationHeld|${KEYS}"}) > 120`,
    '0m',
    'warning',
    `${NODE} is Stalled (${'{{ $labels.reason }}'}): the operator cannot go on until a person changes something.`,
  ],
  [
    'ChainValidatorKey',
    `max by (node_namespace, node, reason) (${SINCE}{type="Stalled",status="True",reason=~"${KEYS}"}) > 0`,
    '0m',
    'critical',
    `Validator ${NODE} is kept from signing (${'{{ $labels.reason }}'}), for its key could sign twice.`,
  ],
  [
    'ChainNodeDegraded',
    'max by (node_namespace, node) (chain_app_node_phase_count{phase="Degraded"}) == 1',
    '10m',
    'warning',
    `${NODE} is Degraded: its pod fails, or its newest block is old.`,
  ],
  [
    'ChainNodeDown',
    `max by (node_namespace, node, reason) (time() - ${SINCE}{type="Ready",status="False",reason!~"${MEANT}"}) > 1800`,
    '0m',
    'warning',
    `${NODE} has not served for half an hour (${'{{ $labels.reason }}'}), and nobody asked for that.`,
  ],
  [
    'ChainMigrationLate',
    'max by (node_namespace, node, phase) (time() - chain_app_node_migration_deadline_seconds) > 120',
    '0m',
    'warning',
    `The migration of ${NODE} is past the deadline of ${'{{ $labels.phase }}'}.`,
  ],
  [
    'ChainMigrationWaits',
    'max by (node_namespace, node, phase) (time() - chain_app_node_migration_phase_since_seconds{phase=~"Blocked|WaitingForSlot"}) > 21600',
    '0m',
    'warning',
    `The migration of ${NODE} has been ${'{{ $labels.phase }}'} for six hours; its message says for what it waits.`,
  ],
  [
    'ChainDisruptionWaits',
    `max by (node_namespace, node, reason) (time() - ${SINCE}{type="DisruptionPending",status="True"}) > 7200`,
    '0m',
    'warning',
    `${NODE} must be taken away (${'{{ $labels.reason }}'}) and has waited two hours for its turn.`,
  ],
  [
    'ChainVolumeNearlyFull',
    'max by (node_namespace, node) (chain_app_node_volume_used_ratio) > 0.9',
    '5m',
    'warning',
    `The volume of ${NODE} is ${'{{ $value | humanizePercentage }}'} full; a full one stops the node.`,
  ],
  [
    'ChainVolumeFull',
    'max by (node_namespace, node) (chain_app_node_volume_used_ratio) > 0.97',
    '0m',
    'critical',
    `The volume of ${NODE} is ${'{{ $value | humanizePercentage }}'} full: the node is about to stop.`,
  ],
  [
    'ChainTrustDisagrees',
    `max by (node_namespace, node, reason) (${SINCE}{type="TrustReady",status="False",reason=~"Disagreeing|WrongChain"}) > 0`,
    '5m',
    'critical',
    `Trusted servers of ${NODE} do not tell the same chain (${'{{ $labels.reason }}'}): one of them lies, or is of another chain.`,
  ],
];

const FLEETS: readonly AlertRow[] = [
  [
    'ChainFleetUnavailable',
    'max by (fleet_namespace, fleet) (chain_app_fleet_condition_since_seconds{type="Available",status="False"}) > 0',
    '1m',
    'critical',
    `Fewer nodes of fleet ${FLEET} serve than its spec asks for.`,
  ],
  [
    'ChainFleetDegraded',
    'max by (fleet_namespace, fleet) (time() - chain_app_fleet_condition_since_seconds{type="Degraded",status="True"}) > 900',
    '0m',
    'warning',
    `Nodes of fleet ${FLEET} are not what they should be, and not because anybody is changing them.`,
  ],
  [
    'ChainFleetStalled',
    'max by (fleet_namespace, fleet, reason) (time() - chain_app_fleet_condition_since_seconds{type="Stalled",status="True"}) > 120',
    '0m',
    'warning',
    `Fleet ${FLEET} is Stalled (${'{{ $labels.reason }}'}): its rollout, or its template, waits for a person.`,
  ],
];

export const OPERATOR_ALERTS: readonly AlertRow[] = [...OPERATOR, ...NODES, ...FLEETS];
