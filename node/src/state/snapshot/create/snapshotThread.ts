import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../../../threads/index.ts';
import { type SnapshotJob, writeSnapshot } from './writeSnapshot.ts';

/** Runs as a thread of its own: tells its progress, then the description, and dies with what went wrong. */
stepBack();
const port = parentPort!;
const description = await writeSnapshot(workerData as SnapshotJob, (leaves) => port.postMessage({ leaves }));
port.postMessage({ description });
