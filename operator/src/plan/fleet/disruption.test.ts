import { describe, expect, it } from 'vitest';
import { ANNOTATIONS } from '../../api/index.ts';
import {
  NEW_IMAGE,
  SECOND,
  type SimulatedFleet,
  SPLIT,
  STEP_MS,
  standing,
} from './simulatedFleet.fixture.ts';

const TWENTY = { replicas: 20, disruption: { maxUnavailable: 1 } };

/** How many nodes were away by the operator's doing at once. */
function maxAway(simulated: SimulatedFleet, forMs: number): number {
  let most = 0;
  simulated.run(forMs, () => {
    most = Math.max(most, [...simulated.nodes.values()].filter(({ isAway }) => isAway).length);
  });
  return most;
}

const loseReadiness = (simulated: SimulatedFleet, forMs: number): void => {
  for (const one of simulated.nodes.values()) one.illUntilMs = simulated.nowMs + forMs;
};

describe('one authority over disruption', () => {
  it('takes one node at a time when the whole fleet loses its readiness for one look', () => {
    const simulated = standing(TWENTY);
    simulated.change(NEW_IMAGE);
    simulated.run(10 * SECOND);
    loseReadiness(simulated, STEP_MS);
    const granted = simulated.look().actions.filter(({ reason }) => reason === 'NodeChanged');
    expect(granted).toEqual([]);
    expect(maxAway(simulated, 1200 * SECOND)).toBe(1);
    expect(simulated.fleet.status?.rollout?.phase).toBe('Complete');
  });

  it('lets nodes that wait for the chain migrate one by one once they can, whatever they were granted before', () => {
    const simulated = standing({ replicas: 5, disruption: { maxUnavailable: 1 } });
    simulated.isTrusted = false;
    simulated.change(SPLIT);
    loseReadiness(simulated, 60 * SECOND);
    simulated.run(120 * SECOND);
    simulated.isTrusted = true;
    expect(maxAway(simulated, 900 * SECOND)).toBe(1);
    expect(simulated.list().every(({ status }) => status?.stateStore?.evmSplit)).toBe(true);
  });

  it('splits nodes that were made on kept volumes of the other layout one by one', () => {
    const simulated = standing({ replicas: 3, ...SPLIT });
    simulated.nodes.clear();
    simulated.keptVolumes = { isSplit: false };
    expect(maxAway(simulated, 600 * SECOND)).toBe(1);
    expect(simulated.list().every(({ status }) => status?.stateStore?.evmSplit)).toBe(true);
    expect(simulated.serving).toBe(3);
  });

  it('restarts nodes one by one when a new operator renders their pods otherwise', () => {
    const simulated = standing(TWENTY);
    simulated.operator = 2;
    expect(maxAway(simulated, 900 * SECOND)).toBe(1);
    expect(simulated.seen).toEqual([]);
    expect(simulated.fleet.status?.rollout).toMatchObject({ phase: 'Complete', waiting: [] });
  });

  it('takes nobody away while the chain stands, says so, and goes on when somebody says that it may', () => {
    const simulated = standing({ replicas: 4, disruption: { maxUnavailable: 2 } });
    simulated.haltedAt = 77;
    simulated.run(20 * SECOND);
    simulated.change(NEW_IMAGE);
    expect(maxAway(simulated, 3600 * SECOND)).toBe(0);
    const { blocker, rollout } = simulated.look();
    expect(blocker).toMatchObject({
      reason: 'ChainHalted',
      message: expect.stringContaining(`all 4 nodes of the chain stand at height 77`),
    });
    expect(blocker?.message).toContain(`${ANNOTATIONS.resume}=${rollout.revision}`);
    const annotations = { [ANNOTATIONS.resume]: rollout.revision };
    simulated.fleet = { ...simulated.fleet, metadata: { ...simulated.fleet.metadata, annotations } };
    expect(maxAway(simulated, 60 * SECOND)).toBe(2);
  });

  it('says who waits for whom', () => {
    const simulated = standing({ replicas: 3, disruption: { maxUnavailable: 1 } });
    simulated.operator = 2;
    const { blocker, rollout } = simulated.run(5 * SECOND);
    expect(rollout).toMatchObject({ active: ['rpc-0'], waiting: ['rpc-1', 'rpc-2'] });
    expect(blocker).toMatchObject({ reason: 'Budget', message: expect.stringContaining('rpc-1') });
  });

  it('takes a turn back from a node that has not begun when others are lost meanwhile', () => {
    const simulated = standing({ replicas: 3, disruption: { maxUnavailable: 1 } });
    simulated.isTrusted = false;
    simulated.change(SPLIT);
    simulated.run(20 * SECOND);
    for (const name of ['rpc-1', 'rpc-2']) simulated.nodes.get(name)!.illUntilMs = Number.POSITIVE_INFINITY;
    simulated.isTrusted = true;
    expect(maxAway(simulated, 120 * SECOND)).toBe(0);
    expect(simulated.nodes.get('rpc-0')!.node.metadata.annotations).not.toHaveProperty(ANNOTATIONS.turn);
    for (const one of simulated.nodes.values()) one.illUntilMs = 0;
    expect(maxAway(simulated, 600 * SECOND)).toBe(1);
    expect(simulated.fleet.status?.rollout?.phase).toBe('Complete');
  });
});
