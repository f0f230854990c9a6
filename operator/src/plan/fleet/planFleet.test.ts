import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANNOTATIONS, LABELS } from '../../api/index.ts';
import {
  fleetOf,
  type Given,
  NEW_IMAGE,
  SECOND,
  SimulatedFleet,
  SPLIT,
  standing,
} from './simulatedFleet.fixture.ts';

/** Random fleets; more in the soak. */
const RUNS = Number(process.env.FLEET_RUNS ?? 10);
const THIRD_IMAGE = { template: { spec: { image: 'node:3' } } };
/** Two that once had nobody serving: the old node of a surge went while the other one was changed … */
const RETIRED_MEANWHILE: [Fleet, Change[]] = [
  { replicas: 2, maxUnavailable: 0, strategy: 'Surge' },
  [
    { afterS: 0, spec: SPLIT },
    { afterS: 26, spec: THIRD_IMAGE },
    { afterS: 41, spec: NEW_IMAGE },
  ],
];
/** … and nodes that were not wanted any more went while those that stayed were changed. */
const SCALED_MEANWHILE: [Fleet, Change[]] = [
  { replicas: 4, maxUnavailable: '50%', strategy: 'Rolling' },
  [
    { afterS: 0, spec: THIRD_IMAGE },
    { afterS: 0, spec: { replicas: 2 } },
  ],
];
interface Fleet {
  replicas: number;
  maxUnavailable: number | string;
  strategy: 'Rolling' | 'Surge';
}
interface Change {
  afterS: number;
  spec: Given & { replicas?: number };
}

describe('a fleet', () => {
  it('makes all its nodes at once, each with the others as peers', () => {
    const simulated = new SimulatedFleet(fleetOf({ replicas: 3, ordinals: { start: 5 } }));
    const { actions } = simulated.look();
    expect(actions.map(({ reason }) => reason)).toEqual(['NodeAdded', 'NodeAdded', 'NodeAdded']);
    expect([...simulated.nodes.keys()]).toEqual(['rpc-5', 'rpc-6', 'rpc-7']);
    const { spec, metadata } = simulated.nodes.get('rpc-6')!.node;
    expect(spec.peers.selector).toEqual({ matchLabels: { [LABELS.fleet]: 'rpc' } });
    expect(metadata.labels).toMatchObject({ [LABELS.ordinal]: '6' });
  });

  it('does nothing when nothing has changed', () => {
    const simulated = standing();
    simulated.run(600 * SECOND);
    expect(simulated.seen).toEqual([]);
    expect(simulated.fleet.status?.rollout?.phase).toBe('Complete');
  });

  it('changes one node after another', () => {
    const simulated = standing();
    simulated.change(NEW_IMAGE);
    const least = { serving: 3 };
    simulated.run(120 * SECOND, () => {
      least.serving = Math.min(least.serving, simulated.serving);
    });
    expect(simulated.seen).toEqual(['NodeChanged rpc-0', 'NodeChanged rpc-1', 'NodeChanged rpc-2']);
    expect(least.serving).toBe(2);
    expect(simulated.fleet.status?.rollout).toMatchObject({ phase: 'Complete', waiting: [], active: [] });
  });

  it('stops at a node that does not come back, and says why', () => {
    const simulated = standing();
    simulated.brokenImage = 'node:2';
    simulated.change(NEW_IMAGE);
    const { blocker, rollout } = simulated.run(1900 * SECOND);
    expect(simulated.seen).toEqual(['NodeChanged rpc-0']);
    expect(blocker).toMatchObject({
      reason: 'Budget',
      message: expect.stringContaining('2 must stay when rpc-1 goes'),
    });
    expect(rollout).toMatchObject({ active: ['rpc-0'], waiting: ['rpc-1', 'rpc-2'] });
  });

  it('mends a node that does not serve first, whatever the budget says', () => {
    const simulated = standing();
    simulated.brokenImage = 'node:2';
    simulated.change(NEW_IMAGE);
    simulated.run(60 * SECOND);
    simulated.seen.length = 0;
    simulated.change({ template: { spec: { image: 'node:3' } } });
    simulated.run(120 * SECOND);
    expect(simulated.seen).toEqual(['NodeChanged rpc-0', 'NodeChanged rpc-1', 'NodeChanged rpc-2']);
  });

  it('goes back with the template: the node that does not come back, and no other, is changed once more', () => {
    const simulated = standing();
    const { image } = simulated.fleet.spec.template.spec;
    simulated.brokenImage = 'node:2';
    simulated.change(NEW_IMAGE);
    simulated.run(60 * SECOND);
    expect(simulated.serving).toBe(2);
    simulated.seen.length = 0;
    simulated.change({ template: { spec: { image } } });
    simulated.run(120 * SECOND);
    expect(simulated.seen).toEqual(['NodeChanged rpc-0']);
    expect(simulated.serving).toBe(3);
    expect(simulated.fleet.status?.rollout).toMatchObject({ phase: 'Complete', waiting: [], active: [] });
  });

  it('changes only the node that an override is for', () => {
    const simulated = standing();
    simulated.change({ overrides: [{ ordinal: 1, patch: { logLevel: 'debug' } }] });
    simulated.run(60 * SECOND);
    expect(simulated.seen).toEqual(['NodeChanged rpc-1']);
  });

  it('takes the highest ordinals away and keeps their volumes', () => {
    const simulated = standing();
    simulated.change({ replicas: 1 });
    simulated.look();
    expect(simulated.seen).toEqual(['delete rpc-1 Retain', 'delete rpc-2 Retain']);
  });

  it('leaves nodes below the partition as they are', () => {
    const simulated = standing({ update: { partition: 2 } });
    simulated.change(NEW_IMAGE);
    const { blocker } = simulated.run(120 * SECOND);
    expect(simulated.seen).toEqual(['NodeChanged rpc-2']);
    expect(blocker?.reason).toBe('Partition');
  });

  it('waits between two nodes, and outside of its windows', () => {
    const simulated = standing({
      update: { delay: '5m', windows: [{ cron: '0 3 * * *', duration: '1h', timeZone: 'UTC' }] },
    });
    simulated.change(NEW_IMAGE);
    expect(simulated.look()).toMatchObject({ blocker: { reason: 'OutsideWindow' }, actions: [] });
    simulated.nowMs = Date.parse('2026-01-02T03:00:01Z');
    simulated.run(240 * SECOND);
    expect(simulated.seen).toEqual(['NodeChanged rpc-0']);
    simulated.run(120 * SECOND);
    expect(simulated.seen).toHaveLength(2);
  });

  it('does nothing while it is paused', () => {
    const simulated = standing();
    simulated.change({ ...NEW_IMAGE, paused: true, replicas: 7 });
    const { rollout } = simulated.run(60 * SECOND);
    expect(simulated.seen).toEqual([]);
    expect(rollout).toMatchObject({ phase: 'Paused', waiting: ['rpc-0', 'rpc-1', 'rpc-2'] });
  });

  describe('with a canary', () => {
    const CANARY = { update: { canary: { count: 1, soak: '10m' } } };

    it('lets it run, compares its answers, and waits to be told', () => {
      const simulated = standing(CANARY);
      simulated.change(NEW_IMAGE);
      expect(simulated.run(300 * SECOND).blocker?.reason).toBe('CanarySoaking');
      simulated.comparison = 'Same';
      const { blocker, rollout } = simulated.run(900 * SECOND);
      expect(blocker).toMatchObject({
        reason: 'CanaryWaiting',
        message: expect.stringContaining(`promote=${rollout.revision}`),
      });
      expect(simulated.seen).toEqual(['NodeChanged rpc-0']);
      simulated.fleet = {
        ...simulated.fleet,
        metadata: { ...simulated.fleet.metadata, annotations: { [ANNOTATIONS.promote]: rollout.revision } },
      };
      simulated.run(120 * SECOND);
      expect(simulated.seen).toHaveLength(3);
    });

    it('goes on by itself when that is allowed and the answers are the same', () => {
      const simulated = standing({ update: { canary: { count: 1, soak: '10m', autoPromote: true } } });
      simulated.change(NEW_IMAGE);
      simulated.comparison = 'Same';
      simulated.run(900 * SECOND);
      expect(simulated.seen).toHaveLength(3);
    });

    it('stops for good when the answers differ', () => {
      const simulated = standing({ update: { canary: { count: 1, soak: '10m', autoPromote: true } } });
      simulated.change(NEW_IMAGE);
      simulated.comparison = 'Different';
      const { blocker, rollout } = simulated.run(1800 * SECOND);
      expect(blocker).toMatchObject({
        reason: 'CanaryFailed',
        message: expect.stringMatching(/^rpc-0: eth_call\. Change/),
      });
      expect(rollout.phase).toBe('Paused');
      expect(simulated.seen).toEqual(['NodeChanged rpc-0']);
    });
  });

  it('never has fewer nodes serving than it may, whatever is changed when', () => {
    const change: fc.Arbitrary<Change> = fc.record({
      afterS: fc.integer({ min: 0, max: 90 }),
      spec: fc.oneof(
        fc.constant(NEW_IMAGE),
        fc.constant(THIRD_IMAGE),
        fc.constant(SPLIT),
        fc.constant({ overrides: [{ ordinal: 1, patch: { image: 'node:4' } }] }),
        fc.record({ replicas: fc.integer({ min: 2, max: 6 }) }),
      ),
    });
    const fleet: fc.Arbitrary<Fleet> = fc.record({
      replicas: fc.integer({ min: 2, max: 6 }),
      maxUnavailable: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('25%', '50%')),
      strategy: fc.constantFrom('Rolling' as const, 'Surge' as const),
    });
    fc.assert(
      fc.property(
        fleet,
        fc.array(change, { maxLength: 6 }),
        ({ replicas, maxUnavailable, strategy }, changes) => {
          const simulated = standing({
            replicas,
            disruption: { maxUnavailable },
            update: { strategy, soak: '1m' },
          });
          const floorOf = (nodes: number) => {
            const share = (percent: string) => Math.floor((nodes * Number.parseInt(percent, 10)) / 100);
            return (
              nodes - Math.max(1, typeof maxUnavailable === 'string' ? share(maxUnavailable) : maxUnavailable)
            );
          };
          let wanted = replicas;
          let least = floorOf(replicas);
          const check = () => expect(simulated.serving).toBeGreaterThanOrEqual(least);
          for (const { afterS, spec } of changes) {
            simulated.run(afterS * SECOND, check);
            simulated.change(spec);
            if (spec.replicas === undefined) continue;
            // New nodes have to come up first.
            wanted = spec.replicas;
            least = Math.min(least, floorOf(wanted));
          }
          simulated.run(900 * SECOND, check);
          expect(simulated.fleet.status?.rollout).toMatchObject({
            phase: 'Complete',
            active: [],
            waiting: [],
          });
          expect(simulated.serving).toBe(wanted);
        },
      ),
      { numRuns: RUNS, examples: [RETIRED_MEANWHILE, SCALED_MEANWHILE] },
    );
  });
});
