import { setTimeout as later } from 'node:timers/promises';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { JobPool, type JobPoolOptions } from './jobPool.ts';

const HOUR = 3_600_000;
const opened: JobPool[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

function open(options: Partial<JobPoolOptions> = {}, metrics = createMetricsRegistry()): JobPool {
  const pool = new JobPool(
    {
      entry: new URL('./poolJobs.fixture.ts', import.meta.url),
      name: 'test',
      data: { chain: 7n },
      heapMegabytes: 64,
      threads: 2,
      maxQueued: 3,
      groups: { calls: 2, traces: 1 },
      ...options,
    },
    {
      metrics,
    },
  );
  opened.push(pool);
  return pool;
}

const calls = { group: 'calls', timeoutMs: HOUR };
/** Resolves once a job runs: nothing else is told of it. */
async function running(metrics: ReturnType<typeof createMetricsRegistry>, jobs: number): Promise<void> {
  while (!(await metrics.text()).includes(`chain_threads_wait_seconds_count ${jobs}\n`)) await later(5);
}

describe('a job', () => {
  it('gets its params and the start-up data, and gives back what it returns', async () => {
    const result = await open().run('echo', { bytes: Uint8Array.of(9), wei: 3n, none: undefined }, calls);
    expect(result).toMatchObject({
      params: { bytes: Uint8Array.of(9), wei: 3n, none: undefined },
      data: { chain: 7n },
    });
  });

  it('gives away the bytes that its service moves', async () => {
    const pool = open({ threads: 1 });
    expect(await pool.run('bytes', 5, calls)).toEqual(new Uint8Array(5).fill(7));
    expect(await pool.run('bytes left', {}, calls)).toBe(0);
  });

  it('that throws a coded error rejects with its code, message and fields', async () => {
    await expect(open().run('fail', {}, calls)).rejects.toMatchObject({
      code: 'TEST_FAILED',
      message: 'it failed',
      fields: { height: 5n },
    });
  });

  it('that crashes rejects with what was thrown, and its thread goes on', async () => {
    const pool = open({ threads: 1 });
    const first = (await pool.run('echo', 1, calls)) as { thread: number };
    await expect(pool.run('crash', {}, calls)).rejects.toThrow(TypeError);
    expect(await pool.run('echo', 1, calls)).toMatchObject({ thread: first.thread });
  });

  it('whose params or result no message can carry rejects, and its thread goes on', async () => {
    const pool = open({ threads: 1 });
    const first = (await pool.run('echo', 1, calls)) as { thread: number };
    let deep: unknown[] = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const unsendable = { code: 'THREADS_UNSENDABLE' };
    await expect(pool.run('echo', { deep }, calls)).rejects.toMatchObject(unsendable);
    await expect(pool.run('echo', { run: () => 1 }, calls)).rejects.toMatchObject(unsendable);
    await expect(pool.run('unsendable', 'deep', calls)).rejects.toMatchObject(unsendable);
    await expect(pool.run('unsendable', 'function', calls)).rejects.toMatchObject(unsendable);
    await expect(pool.run('unsendable', 'crash', calls)).rejects.toThrow('it has a function');
    expect(await pool.run('echo', 1, calls)).toMatchObject({ thread: first.thread });
  });

  it('ends at its time limit', async () => {
    const run = open().run('spin', {}, { group: 'calls', timeoutMs: 20 });
    await expect(run).rejects.toMatchObject({
      code: 'THREADS_TIMEOUT',
      message: 'execution aborted (timeout = 0.02s)',
    });
  });

  it('ends when it is cancelled, running or waiting', async () => {
    const metrics = createMetricsRegistry();
    const pool = open({ threads: 1 }, metrics);
    const [first, second] = [new AbortController(), new AbortController()];
    const spinning = pool.run('spin', {}, { ...calls, signal: first.signal });
    const waiting = pool.run('echo', {}, { ...calls, signal: second.signal });
    await running(metrics, 1);
    second.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'THREADS_CANCELLED' });
    first.abort();
    await expect(spinning).rejects.toMatchObject({ code: 'THREADS_CANCELLED' });
    await expect(pool.run('echo', {}, { ...calls, signal: first.signal })).rejects.toMatchObject({
      code: 'THREADS_CANCELLED',
    });
    await pool.run('echo', {}, calls);
  });

  it('that never looks up is ended with its thread, and a new one follows', async () => {
    const pool = open({ threads: 1 });
    const before = (await pool.run('echo', 1, calls)) as { thread: number };
    await expect(pool.run('hang', {}, { group: 'calls', timeoutMs: 1 })).rejects.toMatchObject({
      code: 'THREADS_TIMEOUT',
    });
    const after = (await pool.run('echo', 1, calls)) as { thread: number };
    expect(after.thread).not.toBe(before.thread);
  });

  it('does not pay for what others left: garbage is collected, a thread that keeps too much is replaced', async () => {
    const pool = open({ threads: 1 });
    const [, first] = (await pool.run('litter', 40, calls)) as [number, number];
    expect(await pool.run('litter', 40, calls)).toEqual([40 << 20, first]);
    expect(await pool.run('leave', 40, calls)).toBe(first);
    const { thread } = (await pool.run('echo', {}, calls)) as { thread: number };
    expect(thread).not.toBe(first);
  });

  it('that needs too much memory is told so', async () => {
    const pool = open({ threads: 1 });
    await expect(pool.run('hoard', {}, calls)).rejects.toMatchObject({
      code: 'THREADS_OUT_OF_MEMORY',
      message: 'the call needed more than 64 MiB of memory; ask for less at once',
    });
    await pool.run('echo', 1, calls);
  });

  it('that needs too much at a stroke, without a look, is told so as well', async () => {
    const pool = open({ threads: 1 });
    await expect(pool.run('burst', {}, calls)).rejects.toMatchObject({ code: 'THREADS_OUT_OF_MEMORY' });
    await pool.run('echo', 1, calls);
  });
});

describe('a pool', () => {
  it('refuses what does not fit into the queue, and says when to come back', async () => {
    const metrics = createMetricsRegistry();
    const pool = open({ threads: 1, maxQueued: 2 }, metrics);
    const stop = new AbortController();
    const spinning = pool.run('spin', {}, { ...calls, signal: stop.signal });
    await running(metrics, 1);
    const waiting = [pool.run('echo', 1, calls), pool.run('echo', 2, calls)];
    await expect(pool.run('echo', 3, calls)).rejects.toMatchObject({
      code: 'THREADS_BUSY',
      fields: { retryAfterMs: expect.any(Number) },
    });
    stop.abort();
    await expect(spinning).rejects.toMatchObject({ code: 'THREADS_CANCELLED' });
    await Promise.all(waiting);
    expect(await metrics.text()).toContain('chain_threads_refused_total 1');
  });

  it('keeps a group within its number, while others go on', async () => {
    const metrics = createMetricsRegistry();
    const pool = open({}, metrics);
    const stop = new AbortController();
    const trace = { group: 'traces', timeoutMs: HOUR, signal: stop.signal };
    const traces = [pool.run('spin', 1, trace), pool.run('spin', 2, trace)];
    await running(metrics, 1);
    for (let i = 0; i < 5; i++) await pool.run('echo', i, calls);
    await running(metrics, 6);
    stop.abort();
    const ends = await Promise.allSettled(traces);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('whose threads cannot start says why', async () => {
    await expect(open({ data: 'cannot start' }).run('echo', 1, calls)).rejects.toThrow(
      'the thread cannot start',
    );
  });

  it('ends what runs and refuses what waits when it closes', async () => {
    const metrics = createMetricsRegistry();
    const pool = open({ threads: 1 }, metrics);
    const both = [pool.run('spin', {}, calls), pool.run('echo', {}, calls)];
    const ends = Promise.allSettled(both);
    await running(metrics, 1);
    await pool.close();
    expect(await ends).toMatchObject([
      { reason: { code: 'THREADS_CANCELLED' } },
      { reason: { code: 'THREADS_CLOSED' } },
    ]);
    await expect(pool.run('echo', 1, calls)).rejects.toMatchObject({ code: 'THREADS_CLOSED' });
  });
});
