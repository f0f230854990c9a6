/**
 * Worker threads that take jobs: a pool on one side, a loop that serves them on the other.
 * Owns: threads, the bounded queue with its groups, time limits, cancelling, threads that die. Does not own: what a
 * job does; that is handed to `serveJobs` by the thread's entry file.
 * Invariants: a thread runs one job at a time; a job is answered exactly once, also when its thread dies; what
 * waits is bounded; nothing is shared but messages and one word of flags a thread.
 */
export { type JobOptions, JobPool, type JobPoolDeps, type JobPoolOptions } from './jobPool.ts';
export { type JobContext, type JobService, serveJobs } from './serveJobs.ts';
export { stepBack } from './stepBack.ts';
