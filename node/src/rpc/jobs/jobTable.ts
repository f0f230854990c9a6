import { accessListJob } from './accessListJob.ts';
import { callJob } from './callJob.ts';
import { estimateGasJob } from './estimateGasJob.ts';
import type { JobKind } from './jobKind.ts';
import { pendingJob } from './pendingJob.ts';
import { simulateJob } from './simulateJob.ts';
import { flatTracesJob, replayJob, traceBlockJob, traceCallJob, traceTransactionJob } from './traceJobs.ts';

/** Every kind of job by its name: the name crosses threads, the table is on both sides. */
export const JOBS = {
  call: callJob,
  estimateGas: estimateGasJob,
  accessList: accessListJob,
  simulate: simulateJob,
  traceBlock: traceBlockJob,
  traceTransaction: traceTransactionJob,
  flatTraces: flatTracesJob,
  traceCall: traceCallJob,
  replay: replayJob,
  pending: pendingJob,
} as const;

export type JobName = keyof typeof JOBS;
export type ParamsOf<Name extends JobName> =
  (typeof JOBS)[Name] extends JobKind<infer P, infer _R> ? P : never;
export type ResultOf<Name extends JobName> =
  (typeof JOBS)[Name] extends JobKind<infer _P, infer R> ? R : never;
