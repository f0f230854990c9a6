import { createMetricsRegistry } from '@chain/platform/metrics';
import { expect, it } from 'vitest';
import type { ChainNode, ChainNodeFleet } from '../api/index.ts';
import { openResourceGauges } from './resourceGauges.ts';

const AT = '1970-01-01T00:01:00Z';
const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  message: '',
  observedGeneration: 1,
  lastTransitionTime: AT,
});
const node = (name: string, status: object): ChainNode =>
  ({ metadata: { namespace: 'chain', name }, spec: {}, status }) as unknown as ChainNode;
const fleet = {
  metadata: { namespace: 'chain', name: 'rpc' },
  spec: { replicas: 3 },
  status: { readyReplicas: 2, conditions: [condition('Available', 'False', 'TooFewServing')] },
} as unknown as ChainNodeFleet;

function opened(nodes: () => readonly ChainNode[], isTelling = () => true) {
  const metrics = createMetricsRegistry();
  const report = { height: 7, blockTime: AT, volume: { size: 100, free: 25 } };
  openResourceGauges(metrics, {
    nodes,
    fleets: () => [fleet],
    isTelling,
    observed: (key) => (key === 'chain/rpc-0' ? ({ at: 0, report } as never) : undefined),
  });
  const series = async () =>
    (await metrics.text()).split('\n').filter((line) => /^chain_app_(node|fleet)_/.test(line));
  return { metrics, series };
}

it('nodes and fleets have a series for each condition, phase and age, by name', async () => {
  const held = node('rpc-0', {
    phase: 'Held',
    conditions: [condition('Stalled', 'True', 'MigrationHeld')],
    migration: { phase: 'Held', phaseStartedAt: AT, deadline: '1970-01-01T01:00:00Z' },
  });
  const name = 'node_namespace="chain",node="rpc-0"';
  const fleetName = 'fleet_namespace="chain",fleet="rpc"';
  expect(await opened(() => [held, node('new', {})]).series()).toEqual([
    `chain_app_node_condition_since_seconds{${name},type="Stalled",status="True",reason="MigrationHeld"} 60`,
    `chain_app_fleet_condition_since_seconds{${fleetName},type="Available",status="False",reason="TooFewServing"} 60`,
    `chain_app_node_phase_count{${name},phase="Held"} 1`,
    `chain_app_node_migration_phase_since_seconds{${name},phase="Held"} 60`,
    `chain_app_node_migration_deadline_seconds{${name},phase="Held"} 3600`,
    `chain_app_node_height_blocks{${name}} 7`,
    `chain_app_node_block_time_seconds{${name}} 60`,
    `chain_app_node_volume_used_ratio{${name}} 0.75`,
    `chain_app_fleet_wanted_nodes{${fleetName}} 3`,
    `chain_app_fleet_ready_nodes{${fleetName}} 2`,
  ]);
});

it('what is gone, or told by another process, has none', async () => {
  let nodes: readonly ChainNode[] = [node('rpc-0', { phase: 'Running' })];
  let isTelling = true;
  const { series } = opened(
    () => nodes,
    () => isTelling,
  );
  expect((await series()).filter((line) => line.includes('node="rpc-0"'))).not.toEqual([]);
  nodes = [];
  expect((await series()).filter((line) => line.includes('node="rpc-0"'))).toEqual([]);
  isTelling = false;
  expect(await series()).toEqual([]);
});

it('there are so many series at most, and how many resources have none is told', async () => {
  const nodes = Array.from({ length: 2_010 }, (_, i) => node(`n${i}`, { phase: 'Running' }));
  const { metrics, series } = opened(() => nodes);
  expect((await series()).filter((line) => line.startsWith('chain_app_node_phase_count'))).toHaveLength(
    2_000,
  );
  expect(await metrics.text()).toMatch(/^chain_app_resources_untold_count 10$/m);
});
