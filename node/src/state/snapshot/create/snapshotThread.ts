import { parentPort, workerData } from 'node:worker_threads';
import { type SnapshotJob, writeSnapshot } from './writeSnapshot.ts';

/** Runs as a thread of its own: tells its progress, then the description, and dies with what went wrong. */
const port = parentPort!;
const description = await writeSnapshot(workerData as SnapshotJob, (leaves) => port.postMessage({ leaves }));
port.postMessage({ description });
