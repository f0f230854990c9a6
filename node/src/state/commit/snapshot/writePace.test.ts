import { expect, it } from 'vitest';
import { createWritePace } from './writePace.ts';

/** Seconds slept for writes of so many bytes each, which take no time themselves. */
function secondsFor(bytesPerSecond: number, writes: readonly number[]): number {
  let now = 0;
  const pace = createWritePace(bytesPerSecond, {
    now: () => now,
    sleep: (ms) => {
      now += ms;
    },
  });
  for (const bytes of writes) pace(bytes);
  return now / 1000;
}

it('keeps writes to a rate, and does not hold them up at all without one', () => {
  const writes = Array.from({ length: 100 }, () => 1_000_000);
  expect(secondsFor(10_000_000, writes)).toBeCloseTo(9.9, 3);
  expect(secondsFor(100_000_000, writes)).toBeCloseTo(0.99, 3);
  expect(secondsFor(0, writes)).toBe(0);
});
