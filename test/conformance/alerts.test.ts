import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeRules, operatorRules } from '../../scripts/monitoring/alerts.ts';
import { missingPromtool, type RuleCase, testRules } from '../support/promtool.ts';
import { leftOutIf } from '../support/required.ts';

const RULES = { groups: [...operatorRules().groups, ...nodeRules().groups] };
const ALERTS = RULES.groups.flatMap(({ rules }) => rules);
const HOUR = 240;

const NODE = 'node_namespace="chain",node="rpc-0"';
const condition = (type: string, status: string, reason: string): string =>
  `chain_app_node_condition_since_seconds{${NODE},type="${type}",status="${status}",reason="${reason}"}`;
const phase = (name: string): string => `chain_app_node_phase_count{${NODE},phase="${name}"}`;
const migration = (what: string, at: string): string =>
  `chain_app_node_migration_${what}_seconds{${NODE},phase="${at}"}`;
const fleet = (type: string, status: string, reason: string): string =>
  `chain_app_fleet_condition_since_seconds{fleet_namespace="chain",fleet="rpc",type="${type}",status="${status}",reason="${reason}"}`;
const LEADER = 'chain_kube_leader{namespace="chain-system",pod="a"}';
const POD = 'namespace="chain",pod="rpc-0-0"';

/** A cluster in which nothing is wrong, for seven hours. */
const WELL: RuleCase['series'] = {
  [LEADER]: `1x${7 * HOUR}`,
  'chain_kube_leader{namespace="chain-system",pod="b"}': `0x${7 * HOUR}`,
  'chain_kube_watch_last_activity_seconds{pod="a",kind="Pod"}': `0+15x${7 * HOUR}`,
  'chain_kube_reconciles_total{namespace="chain-system",controller="chainNode",outcome="transient"}': `0x${7 * HOUR}`,
  'chain_app_event_loop_stall_seconds{namespace="chain-system",pod="a"}': `0.1x${7 * HOUR}`,
  'chain_app_workers_stuck_seconds{namespace="chain-system",pod="a"}': `0x${7 * HOUR}`,
  [condition('Stalled', 'False', 'Healthy')]: `0x${7 * HOUR}`,
  [condition('Ready', 'True', 'Serving')]: `0x${7 * HOUR}`,
  [condition('DisruptionPending', 'False', 'None')]: `0x${7 * HOUR}`,
  [phase('Running')]: `1x${7 * HOUR}`,
  [`chain_app_node_volume_used_ratio{${NODE}}`]: `0.5x${7 * HOUR}`,
  [fleet('Available', 'True', 'EnoughServing')]: `0x${7 * HOUR}`,
  [fleet('Degraded', 'False', 'AllHealthy')]: `0x${7 * HOUR}`,
  [`chain_app_block_age_seconds{${POD}}`]: `1x${7 * HOUR}`,
  [`chain_app_ready_count{${POD}}`]: `1x${7 * HOUR}`,
  [`chain_limiter_upstream_up{${POD}}`]: `1x${7 * HOUR}`,
};

type Case = readonly [
  alert: string,
  at: string,
  over: Readonly<Record<string, string | undefined>>,
  also?: string,
];

/** The first time that something is wrong. `_`: nothing was recorded, `undefined`: never. */
const FIRST: readonly Case[] = [
  ['ChainOperatorWithoutLeader', '10m', { [LEADER]: '1x4 0x60' }],
  [
    'ChainOperatorFails',
    '40m',
    {
      'chain_kube_reconciles_total{namespace="chain-system",controller="chainNode",outcome="transient"}': `0+5x${HOUR}`,
    },
  ],
  ['ChainOperatorDeaf', '20m', { 'chain_kube_watch_last_activity_seconds{pod="a",kind="Pod"}': `0x${HOUR}` }],
  [
    'ChainOperatorStalls',
    '20m',
    { 'chain_app_event_loop_stall_seconds{namespace="chain-system",pod="a"}': `4x${HOUR}` },
  ],
  [
    'ChainOperatorStuck',
    '5m',
    { 'chain_app_workers_stuck_seconds{namespace="chain-system",pod="a"}': `400x${HOUR}` },
  ],
  ['ChainNodeHeld', '6m', { [phase('Running')]: '1x20', [phase('Held')]: '_x20 1x60' }],
  [
    'ChainNodeStalled',
    '10m',
    {
      [condition('Stalled', 'False', 'Healthy')]: '0x4',
      [condition('Stalled', 'True', 'PodFails')]: '_x4 60x60',
    },
  ],
  [
    'ChainValidatorKey',
    '2m',
    {
      [condition('Stalled', 'False', 'Healthy')]: '0x4',
      [condition('Stalled', 'True', 'KeyInUse')]: '_x4 60x60',
    },
  ],
  ['ChainNodeDegraded', '20m', { [phase('Running')]: '1x4', [phase('Degraded')]: '_x4 1x100' }],
  [
    'ChainNodeDown',
    '40m',
    {
      [condition('Ready', 'True', 'Serving')]: '0x4',
      [condition('Ready', 'False', 'Unreachable')]: `_x4 60x${HOUR}`,
    },
  ],
  ['ChainMigrationLate', '10m', { [migration('deadline', 'Syncing')]: '300x60' }],
  ['ChainMigrationWaits', '370m', { [migration('phase_since', 'Blocked')]: `60x${7 * HOUR}` }],
  [
    'ChainDisruptionWaits',
    '130m',
    {
      [condition('DisruptionPending', 'False', 'None')]: '0x4',
      [condition('DisruptionPending', 'True', 'Restart')]: `_x4 60x${7 * HOUR}`,
    },
  ],
  ['ChainVolumeNearlyFull', '10m', { [`chain_app_node_volume_used_ratio{${NODE}}`]: '0.92x60' }],
  ['ChainVolumeFull', '1m', { [`chain_app_node_volume_used_ratio{${NODE}}`]: '0.98x60' }],
  ['ChainTrustDisagrees', '10m', { [condition('TrustReady', 'False', 'Disagreeing')]: '60x60' }],
  [
    'ChainFleetUnavailable',
    '3m',
    {
      [fleet('Available', 'True', 'EnoughServing')]: '0x4',
      [fleet('Available', 'False', 'TooFewServing')]: '_x4 60x60',
    },
  ],
  [
    'ChainFleetDegraded',
    '20m',
    {
      [fleet('Degraded', 'False', 'AllHealthy')]: '0x4',
      [fleet('Degraded', 'True', 'NodesHeld')]: '_x4 60x100',
    },
  ],
  ['ChainFleetStalled', '10m', { [fleet('Stalled', 'True', 'NodeRefused')]: '60x60' }],
  [
    'ChainNodeStale',
    '7m',
    {
      [`chain_app_block_age_seconds{${POD}}`]: '90x60',
      'chain_app_block_age_seconds{namespace="chain",pod="b"}': '1x60',
    },
  ],
  ['ChainStopped', '4m', { [`chain_app_block_age_seconds{${POD}}`]: '90x60' }],
  ['ChainNodeNotReady', '20m', { [`chain_app_ready_count{${POD}}`]: '0x100' }],
  ['ChainNodeWritesLate', '12m', { [`chain_history_queued_blocks{${POD}}`]: '200x60' }],
  ['ChainSnapshotsFail', '3m', { [`chain_state_snapshot_failures_total{${POD}}`]: '_x8 1x60' }],
  ['ChainPruningFails', '3m', { [`chain_state_store_prune_failures_total{${POD}}`]: '0x8 1x60' }],
  ['ChainFlatKvFails', '3m', { [`chain_state_flatkv_failures_total{${POD}}`]: '_x8 1x60' }],
  [
    'ChainRpcFails',
    '20m',
    {
      [`chain_rpc_errors_total{${POD},code="-32603"}`]: '0+1x100',
      [`chain_rpc_requests_total{${POD}}`]: '0+10x100',
    },
  ],
  ['ChainCallsRefused', '20m', { [`chain_threads_refused_total{${POD}}`]: '0+1x100' }],
  ['ChainLimiterNodeDown', '4m', { [`chain_limiter_upstream_up{${POD}}`]: '0x60' }],
  [
    'ChainLimiterRefusesMuch',
    '30m',
    {
      [`chain_limiter_rejected_total{${POD},reason="limited"}`]: '0+9x200',
      [`chain_limiter_requests_total{${POD},code="200"}`]: '0+10x200',
    },
  ],
  [
    'ChainLimiterFailures',
    '20m',
    {
      [`chain_limiter_requests_total{${POD},code="502"}`]: '0+1x100',
      [`chain_limiter_requests_total{${POD},code="200"}`]: '0+9x100',
    },
  ],
  ['ChainLimiterTableFull', '3m', { [`chain_limiter_evictions_total{${POD},state="active"}`]: '_x8 1x60' }],
  [
    'ChainLimiterConfigRefused',
    '3m',
    { [`chain_limiter_config_reloads_total{${POD},result="failed"}`]: '_x8 1x60' },
  ],
];

const caseOf = ([alert, at, over, also]: Case): RuleCase => ({
  name: alert,
  at,
  fires: [alert, ...(also === undefined ? [] : [also])],
  series: Object.fromEntries(
    Object.entries({ ...WELL, ...over }).flatMap(([one, values]) =>
      values === undefined ? [] : [[one, values]],
    ),
  ),
});

describe('alerts', () => {
  it('each have a case, and a page to follow', () => {
    const names = ALERTS.map(({ alert }) => alert).sort();
    expect(FIRST.map(([alert]) => alert).sort()).toEqual(names);
    const pages = readdirSync('docs/runbooks').filter((name) => name !== 'README.md');
    expect(pages.map((name) => name.replace(/\.md$/, '')).sort()).toEqual(names);
    for (const { alert, annotations } of ALERTS) {
      expect(annotations.runbook_url).toMatch(new RegExp(`/docs/runbooks/${alert}\\.md$`));
      const page = readFileSync(`docs/runbooks/${alert}.md`, 'utf8');
      for (const part of [`# ${alert}\n`, '## Look\n', '## Mend\n']) expect(page, alert).toContain(part);
    }
    expect(existsSync('docs/runbooks/README.md')).toBe(true);
  });

  describe('as Prometheus evaluates them', leftOutIf('alerts', missingPromtool()), () => {
    it('fire from the first case on, each alone, and none while all is well', () => {
      const well = ['1m', '30m', '6h'].map(
        (at): RuleCase => ({ name: `well at ${at}`, at, fires: [], series: WELL }),
      );
      const cases = [...well, ...FIRST.map(caseOf)];
      const isLong = ({ at }: RuleCase): boolean => /h$|^\d{3}m$/.test(at);
      expect(() =>
        testRules(
          RULES,
          cases.filter((one) => !isLong(one)),
        ),
      ).not.toThrow();
      expect(() => testRules(RULES, cases.filter(isLong), '10m')).not.toThrow();
    });

    it('tell of an operator of which no pod is left', () => {
      const gone = ['a', 'b'].map((pod) => `chain_kube_leader{namespace="chain-system",pod="${pod}"}`);
      const over = Object.fromEntries(gone.map((one) => [one, '1x4']));
      const [never, ended] = [
        caseOf([
          'ChainOperatorWithoutLeader',
          '10m',
          Object.fromEntries(gone.map((one) => [one, undefined])),
        ]),
        caseOf(['ChainOperatorWithoutLeader', '20m', over]),
      ];
      expect(() => testRules(RULES, [never, ended])).not.toThrow();
    });

    it('are evaluated: a case that does not come true fails', () => {
      const wrong: RuleCase = { name: 'wrong', at: '1m', fires: ['ChainNodeHeld'], series: WELL };
      expect(() => testRules(RULES, [wrong])).toThrow('ChainNodeHeld');
    });
  });
});
