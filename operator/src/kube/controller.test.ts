import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { kubeError } from './client/kubeErrors.ts';
import { Controller, runtimeMetrics } from './index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const KEYS = Array.from({ length: 64 }, (_, i) => `n/${i}`);

/** A controller whose server fails all keys until `isWell`; each pass takes 10 ms. */
function controller(answer: () => { status: number; retryAfter?: string } | undefined) {
  let running = 0;
  const seen: { readonly key: string; readonly at: number }[] = [];
  const most: number[] = [];
  const made = new Controller(
    { name: 'test', workers: 64, resyncMs: 1e9 },
    {
      reconcile: async (key) => {
        most.push(++running);
        await new Promise((done) => setTimeout(done, 10));
        running--;
        const failure = answer();
        if (failure) throw kubeError('get', { body: '{}', ...failure });
        seen.push({ key, at: Date.now() });
        return {};
      },
      keys: () => KEYS,
      metrics: runtimeMetrics(createMetricsRegistry()),
      logger: silentLogger,
    },
  );
  return { made, seen, most };
}

it('when the API server is back, keys that failed come two for each that came through, not all at once', async () => {
  let isWell = false;
  const { made, seen, most } = controller(() => (isWell ? undefined : { status: 503 }));
  made.start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toEqual([]);
  isWell = true;
  most.length = 0;
  // Whichever is due first finds out; from then on each brings two more.
  for (let ms = 0; seen.length === 0 && ms < 60_000; ms++) await vi.advanceTimersByTimeAsync(1);
  const first = seen[0]!.at;
  await vi.advanceTimersByTimeAsync(200);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(KEYS.length);
  const within = (ms: number) => seen.filter(({ at }) => at <= first + ms).length;
  expect(within(10)).toBeLessThanOrEqual(8);
  expect(within(0)).toBeLessThan(within(10) + within(20));
  await made.close();
});

it('a key that the API server has asked to wait waits, though others come through', async () => {
  let failures = 0;
  const { made, seen } = controller(() => {
    failures++;
    // The first pass of all is refused for a minute.
    return failures <= KEYS.length ? { status: 429, retryAfter: '60' } : undefined;
  });
  const startedAt = Date.now();
  made.start();
  await vi.advanceTimersByTimeAsync(30);
  // Somebody changes one of them: it comes through at once.
  made.enqueue(KEYS[5]!);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(seen.map(({ key }) => key)).toEqual([KEYS[5]]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(KEYS.length);
  expect(seen[1]!.at - startedAt).toBeGreaterThanOrEqual(60_000);
  await made.close();
});
