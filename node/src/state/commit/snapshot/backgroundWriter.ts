import { Worker } from 'node:worker_threads';
import type { SnapshotJob } from './snapshotJob.ts';

export interface BackgroundWrite {
  /** Resolves to whether the draft is whole: false after `stop`. Rejects with what went wrong. */
  readonly done: Promise<boolean>;
  stop(): Promise<void>;
}

/** Writes a snapshot on a thread of its own. The job's memory is shared, not copied. */
export function writeInBackground(job: SnapshotJob): BackgroundWrite {
  const worker = new Worker(new URL('./snapshotWorker.ts', import.meta.url), {
    workerData: job,
    name: 'state-commit-snapshot',
  });
  const done = new Promise<boolean>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => resolve(code === 0));
  });
  return {
    done,
    stop: async () => {
      await worker.terminate();
    },
  };
}
