import { accessListJob } from './accessListJob.ts';
import { callJob } from './callJob.ts';
import { estimateGasJob } from './estimateGasJob.ts';
import type { JobKind } from './jobKind.ts';
import { pendingJob } from './pendingJob.ts';
import { simulateJob } from './simulateJob.ts';
import { modifiedAccountsJob, stateAccessJob } from './stateJobs.ts';
import { matchingTracesJob, traceAtJob } from './traceFilter.ts';
import {
  flatTracesJob,
  replayJob,
  replaysJob,
  traceBlockJob,
  traceCallJob,
  traceCallsJob,
  traceTransactionJob,
} from './traceJobs.ts';
import { appearancesJob, creationJob, operationsJob, treeListJob } from './traceQueries.ts';

/** Every kind of job by its name: the name crosses threads, the table is on both sides. */
export const JOBS = {
  call: callJob,
  estimateGas: estimateGasJob,
  accessList: accessListJob,
  simulate: simulateJob,
  traceBlock: traceBlockJob,
  traceTransaction: traceTransactionJob,
  flatTraces: flatTracesJob,
  matchingTraces: matchingTracesJob,
  traceAt: traceAtJob,
  replays: replaysJob,
  treeList: treeListJob,
  operations: operationsJob,
  appearances: appearancesJob,
  creation: creationJob,
  traceCall: traceCallJob,
  traceCalls: traceCallsJob,
  modifiedAccounts: modifiedAccountsJob,
  stateAccess: stateAccessJob,
  replay: replayJob,
  pending: pendingJob,
} as const;

export type JobName = keyof typeof JOBS;
export type ParamsOf<Name extends JobName> =
  (typeof JOBS)[Name] extends JobKind<infer P, infer _R> ? P : never;
export type ResultOf<Name extends JobName> =
  (typeof JOBS)[Name] extends JobKind<infer _P, infer R> ? R : never;
