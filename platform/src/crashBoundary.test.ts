import { expect, it } from 'vitest';
import { CrashBoundary } from './crashBoundary.ts';
import { silentLogger } from './logger.ts';
import { createMetricsRegistry } from './metrics/index.ts';

it('ends what is thrown, at once or later, and counts it', async () => {
  const metrics = createMetricsRegistry();
  const boundary = new CrashBoundary({ name: 'test' }, { logger: silentLogger, metrics });
  const ended: string[] = [];
  const end = (what: string): void => {
    ended.push(what);
    throw new TypeError('the end fails as well');
  };
  boundary.guard((_what: string) => {
    throw new RangeError('at once');
  }, end)('first');
  boundary.guard(async (_what: string) => {
    throw new RangeError('later');
  }, end)('second');
  boundary.guard((_what: string) => 1, end)('third');
  await expect.poll(() => ended).toEqual(['first', 'second']);
  expect(await metrics.text()).toContain('chain_crashes_total{boundary="test"} 4');
});
