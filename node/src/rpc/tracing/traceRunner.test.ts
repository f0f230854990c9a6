import { expect, it } from 'vitest';
import type { BlockContext } from '../../types/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { TraceRunner } from './traceRunner.ts';

const LIMITS = {
  maxConcurrent: 2,
  lookbackBlocks: -1,
  callTimeoutMs: 1234,
  maxResultBytes: 1,
  javaScript: false,
  hexWords: 'prefixed' as const,
  allowedTracers: [],
};
const BUSY = 'trace request rejected due to concurrency limit: server busy';

it('takes so many traces at a time and turns the others away', async () => {
  const waiting: { done(result: unknown): void; timeoutMs: number }[] = [];
  const jobs = {
    run: (_name: string, _params: object, { timeoutMs }: { timeoutMs: number }) =>
      new Promise((done) => waiting.push({ done, timeoutMs })),
  } as unknown as Jobs;
  const contextAt = () => ({}) as BlockContext;
  const runner = new TraceRunner(LIMITS, { chain: { contextAt }, jobs });
  const replay = () => runner.replay({ version: 1, height: 2 }, [], {});
  const first = replay();
  const second = replay();
  await expect(replay()).rejects.toThrow(BUSY);
  waiting[0]!.done(['first']);
  expect(await first).toEqual(['first']);
  const third = replay();
  await expect(replay()).rejects.toThrow(BUSY);
  for (const { done } of waiting) done([]);
  await Promise.all([second, third]);
  expect(waiting.map(({ timeoutMs }) => timeoutMs)).toEqual([1234, 1234, 1234]);
});
