import { describe, expect, it } from 'vitest';
import { NodeHealth } from './health.ts';

describe('the probes of a node', () => {
  const clock = { time: 1_000_000, now: () => clock.time };
  const state = { height: 0, seconds: 0, failure: undefined as Error | undefined };
  const chain = {
    get height() {
      return state.height;
    },
    get failure() {
      return state.failure;
    },
    get lastRecord() {
      return state.height === 0
        ? undefined
        : { block: { header: { time: { seconds: BigInt(state.seconds), nanos: 0 } } } };
    },
  };
  const open = (options: Partial<ConstructorParameters<typeof NodeHealth>[0]> = {}) => {
    Object.assign(state, { height: 7, seconds: clock.time / 1000, failure: undefined });
    const health = new NodeHealth({ maxBlockAgeMs: 60_000, blocksOnDemand: false, ...options }, { clock });
    health.stateSync = { stage: 'restoring', chunks: 1, chunksTotal: 9 };
    expect([health.started().ok, health.ready().reason]).toEqual([true, 'state sync: chunk 1 of 9']);
    health.chain = chain as unknown as NonNullable<NodeHealth['chain']>;
    return health;
  };

  it('tell opening from waiting for the first block', () => {
    const health = new NodeHealth({ maxBlockAgeMs: 60_000, blocksOnDemand: false }, { clock });
    expect([health.live().ok, health.started().reason, health.ready().reason]).toEqual([
      true,
      'opening the state',
      'opening the state',
    ]);
    health.chain = chain as unknown as NonNullable<NodeHealth['chain']>;
    state.height = 0;
    expect([health.started().ok, health.ready().reason]).toEqual([true, 'waiting for the first block']);
  });

  it('tell syncing from stalled, and restart neither', () => {
    const health = open();
    expect(health.ready()).toMatchObject({ ok: true, details: { height: 7, blockAgeSeconds: 0 } });
    clock.time += 61_000;
    expect(health.notReady()?.code).toBe('syncing');
    clock.time += 31_000;
    expect(health.notReady()?.code).toBe('stalled');
    state.height++;
    expect(health.notReady()?.code).toBe('syncing');
    expect([health.live().ok, health.started().ok]).toEqual([true, true]);
  });

  it('do not mind the age of blocks when it is switched off, or blocks come on demand', () => {
    for (const options of [{ maxBlockAgeMs: 0 }, { blocksOnDemand: true }]) {
      const health = open(options);
      clock.time += 1_000_000;
      expect(health.ready().ok).toBe(true);
    }
  });

  it('ask for a restart when no block can follow', () => {
    const health = open();
    state.failure = new RangeError('the disk is gone');
    expect(health.live()).toEqual({ ok: false, reason: 'the disk is gone' });
    expect(health.ready()).toEqual({ ok: false, reason: 'the disk is gone' });
  });
});
