import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { CodedError, diskFull, isDiskFull } from '@chain/platform';
import type { FrozenState } from '../../commit/index.ts';
import type { SnapshotDescription } from '../description.ts';
import type { RestorePoint } from '../restorePoint.ts';
import type { SnapshotShelf } from '../shelf/snapshotShelf.ts';
import type { SnapshotJob } from './writeSnapshot.ts';

export interface CreateOptions {
  readonly frozen: FrozenState;
  readonly restorePoint: RestorePoint;
  /** Newest snapshots kept afterwards; 0 keeps all. */
  readonly keepRecent: number;
  /** Blocks that are compressed beside the thread; 0 by default: it does all by itself, and steps back for the node. */
  readonly parallel?: number;
}

export interface CreateDeps {
  readonly shelf: SnapshotShelf;
  readonly onProgress?: (leaves: number) => void;
  /** Ends the thread; nothing is left of the snapshot. */
  readonly signal?: AbortSignal;
}

type ThreadMessage = { readonly leaves: number } | { readonly description: SnapshotDescription };

/**
 * Writes a snapshot on a thread of its own and puts it on the shelf. Throws SNAPSHOT_EXISTS, SNAPSHOT_STOPPED,
 * SNAPSHOT_FAILED, DISK_FULL, DIRECTORY_LOCKED.
 */
export async function createSnapshot(options: CreateOptions, deps: CreateDeps): Promise<SnapshotDescription> {
  const { shelf } = deps;
  const { version: height } = options.frozen;
  if (height === 0) throw failed(height, 'the chain has no block yet');
  const lock = shelf.lock();
  try {
    if (shelf.has(height)) throw exists(height, shelf.directory);
    const draft = shelf.draft(height);
    try {
      const { frozen, restorePoint, parallel = 0 } = options;
      const description = await runThread({ frozen, draft, restorePoint, parallel }, deps);
      await shelf.publish(height);
      await shelf.prune(options.keepRecent);
      return description;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

function runThread(job: SnapshotJob, { onProgress, signal }: CreateDeps): Promise<SnapshotDescription> {
  const height = job.frozen.version;
  const worker = new Worker(new URL('./snapshotThread.ts', import.meta.url), {
    workerData: job,
    name: 'state-snapshot',
  });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop, { once: true });
  return new Promise<SnapshotDescription>((resolve, reject) => {
    let description: SnapshotDescription | undefined;
    worker.on('message', (message: ThreadMessage) => {
      if ('leaves' in message) onProgress?.(message.leaves);
      else description = message.description;
    });
    worker.once('error', (cause: Error) => {
      reject(isDiskFull(cause) ? diskFull(job.draft, cause) : failed(height, cause.message, cause));
    });
    // Only once the thread is gone: until then it reads the frozen state and may write the draft.
    worker.once('exit', () => (description ? resolve(description) : reject(stopped(height))));
    if (signal?.aborted) stop();
  }).finally(() => signal?.removeEventListener('abort', stop));
}

function exists(height: number, directory: string): CodedError {
  return new CodedError(
    'SNAPSHOT_EXISTS',
    `a snapshot of height ${height} is already in ${directory}; delete it first to make it again`,
    { fields: { height, directory } },
  );
}

function stopped(height: number): CodedError {
  return new CodedError('SNAPSHOT_STOPPED', `the snapshot of height ${height} was stopped and is not kept`, {
    fields: { height },
  });
}

function failed(height: number, why: string, cause?: unknown): CodedError {
  return new CodedError('SNAPSHOT_FAILED', `the snapshot of height ${height} cannot be written: ${why}`, {
    fields: { height },
    cause,
  });
}
