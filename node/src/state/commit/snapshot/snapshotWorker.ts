import { workerData } from 'node:worker_threads';
import { type SnapshotJob, writeSnapshot } from './snapshotJob.ts';

/** Runs as a thread of its own: ends when the draft is whole, dies with what went wrong. */
writeSnapshot(workerData as SnapshotJob);
