import { describe, expect, it } from 'vitest';
import { HeightPace } from './heightPace.ts';

const S = 1000;

/** Every node asks each 30 s, one behind the other, and has always something to tell. */
function run(nodes: number, forMs: number, pace = new HeightPace({ intervalMs: 40 * S })) {
  const told = new Map<string, number[]>();
  for (let at = 0; at < forMs; at += (30 * S) / nodes) {
    const key = `n/${Math.round(at / ((30 * S) / nodes)) % nodes}`;
    if (pace.mayTell(key, at)) told.set(key, [...(told.get(key) ?? []), at]);
  }
  const writes = [...told.values()].flat().sort((a, b) => a - b);
  return { told, writes };
}

describe('heights of nodes at the head of the chain', () => {
  it.each([1, 3, 10, 100])('are written less than twice a minute, however many of %i nodes ask', (nodes) => {
    const { writes } = run(nodes, 3600 * S);
    expect(writes.length).toBeLessThan(2 * 60);
    // The most that can fall into one minute, turns that were saved up included.
    const busiest = Math.max(
      ...writes.map((at) => writes.filter((it) => it >= at && it < at + 60 * S).length),
    );
    expect(busiest).toBeLessThanOrEqual(3);
  });

  it('are written of all of them in turn', () => {
    const { told } = run(10, 3600 * S);
    const gaps = [...told.values()].flatMap((times) => times.slice(1).map((at, i) => at - times[i]!));
    expect(told.size).toBe(10);
    expect(Math.max(...gaps)).toBeLessThan(10 * 40 * S * 1.3);
  });
});

describe('heights of nodes that get somewhere', () => {
  it('are written every five seconds, and cost the others no turn', () => {
    const pace = new HeightPace({ intervalMs: 40 * S });
    let written = 0;
    for (let at = 10 * S; at < 610 * S; at += 2500) written += Number(pace.mayTell('n/moving', at, true));
    expect(written).toBe(120);
    expect(pace.mayTell('n/other', 600 * S)).toBe(true);
  });

  it('are written more seldom when there are many', () => {
    const pace = new HeightPace({ intervalMs: 40 * S });
    for (let node = 0; node < 200; node++) pace.mayTell(`n/${node}`, 0, true);
    expect(pace.movingMs).toBe(20 * S);
    for (let node = 0; node < 199; node++) pace.forget(`n/${node}`);
    expect(pace.movingMs).toBe(5 * S);
  });
});
