import { workerData } from 'node:worker_threads';
import { stepBack } from '../../../threads/index.ts';
import { type SnapshotJob, writeSnapshot } from './snapshotJob.ts';

/** Runs as a thread of its own: ends when the draft is whole, dies with what went wrong. */
stepBack();
writeSnapshot(workerData as SnapshotJob);
