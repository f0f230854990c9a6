import { describe, expect, it } from 'vitest';
import { ANNOTATIONS } from '../../api/index.ts';
import { type Given, NEW_IMAGE, SECOND, SPLIT, standing } from './simulatedFleet.fixture.ts';

describe('a fleet that surges', () => {
  const SURGE = { update: { strategy: 'Surge' as const, soak: '30m' } };

  it('fills a second node for each, never has one less, and gives the old volume up at last', () => {
    const simulated = standing(SURGE);
    simulated.change(SPLIT);
    const least = { serving: 3 };
    simulated.run(600 * SECOND, () => {
      least.serving = Math.min(least.serving, simulated.serving);
    });
    expect(least.serving).toBe(3);
    expect(simulated.fleet.status?.rollout?.phase).toBe('Soaking');
    simulated.run(1900 * SECOND);
    expect(simulated.seen.filter((one) => one.startsWith('delete'))).toEqual([
      'delete rpc-0 Delete',
      'delete rpc-1 Delete',
      'delete rpc-2 Delete',
    ]);
    expect([...simulated.nodes.values()].every(({ node }) => node.spec.stateStore.evmSplit)).toBe(true);
  });

  it('sends clients to a second node only when it answers as the first does, which serves until then', () => {
    const simulated = standing(SURGE);
    simulated.twins = 'eth_getLogs: [], not [1]';
    simulated.change(SPLIT);
    const { blocker, rollout } = simulated.run(600 * SECOND);
    expect(simulated.seen).toHaveLength(1);
    const twin = simulated.seen[0]!.replace('Surging ', '');
    expect(rollout.phase).toBe('Paused');
    expect(blocker).toMatchObject({
      reason: 'TwinDiffers',
      message: expect.stringContaining(`annotate --overwrite cn ${twin} ${ANNOTATIONS.compared}=NotNeeded`),
    });
    expect(simulated.serving).toBe(3);
    simulated.twins = 'Same';
    simulated.annotate(twin, { [ANNOTATIONS.compared]: 'NotNeeded' });
    simulated.run(600 * SECOND);
    expect(simulated.fleet.status?.rollout?.phase).toBe('Soaking');
    expect(simulated.seen.slice(1, 5)).toEqual([
      'Leaving rpc-0',
      `TookOver ${twin}`,
      'Retired rpc-0',
      expect.stringContaining('Surging rpc-1'),
    ]);
  });

  it('gives second nodes volumes and keys of their own, whatever the template names, for good', () => {
    const simulated = standing({
      ...SURGE,
      overrides: [
        {
          ordinal: 0,
          patch: {
            storage: { source: { existingClaim: { name: 'old' } } },
            nodeKey: { secretRef: { name: 'key' } },
          },
        },
      ],
    });
    simulated.change(SPLIT);
    simulated.run(2500 * SECOND);
    simulated.change(NEW_IMAGE);
    simulated.run(600 * SECOND);
    const [first] = simulated.list().filter(({ metadata }) => metadata.name.startsWith('rpc-0'));
    expect(first).toMatchObject({ spec: { image: 'node:2', storage: { size: '1Gi' } } });
    expect(first?.spec.storage.source).toBeUndefined();
    expect(first?.spec.nodeKey).toBeUndefined();
  });

  it('fills no second node outside of its windows', () => {
    const windows = [{ cron: '0 3 * * *', duration: '1h', timeZone: 'UTC' }];
    const simulated = standing({ update: { strategy: 'Surge', windows } });
    simulated.change(SPLIT);
    expect(simulated.run(600 * SECOND).blocker?.reason).toBe('OutsideWindow');
    expect(simulated.seen).toEqual([]);
  });

  it('takes an old node back when the one that came in its place is deleted', () => {
    const simulated = standing(SURGE);
    simulated.change(SPLIT);
    simulated.run(300 * SECOND);
    const twin = [...simulated.nodes.keys()].find((name) => name.startsWith('rpc-0-'))!;
    simulated.nodes.delete(twin);
    simulated.run(300 * SECOND);
    expect(simulated.seen).toContain('ComesBack rpc-0');
    expect(simulated.serving).toBe(3);
    expect(simulated.fleet.status?.rollout?.phase).toBe('Soaking');
  });

  it('goes back to the old nodes at once while they stand by', () => {
    const simulated = standing(SURGE);
    simulated.change(SPLIT);
    simulated.run(300 * SECOND);
    simulated.seen.length = 0;
    simulated.change({
      template: { spec: { stateStore: { evmSplit: false }, stateSync: { trust: null } } },
    } as unknown as Given);
    simulated.run(300 * SECOND);
    expect(simulated.seen.filter((one) => one.startsWith('ComesBack'))).toHaveLength(3);
    expect(simulated.seen.some((one) => one.startsWith('Surging'))).toBe(false);
  });

  it('gives a half-filled node up when the template changes again', () => {
    const simulated = standing(SURGE);
    simulated.change(SPLIT);
    simulated.look();
    simulated.change(NEW_IMAGE);
    simulated.look();
    expect(simulated.seen.filter((one) => one.startsWith('delete'))).toHaveLength(1);
  });
});
