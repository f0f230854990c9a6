import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectorySync } from '../../changelog/index.ts';
import { exportState, type FrozenState } from '../../commit/index.ts';
import { encodeDescription, SNAPSHOT_FORMAT, type SnapshotDescription } from '../description.ts';
import { encodeRestorePoint, type RestorePoint } from '../restorePoint.ts';
import { SHELF_FILES } from '../shelf/snapshotShelf.ts';
import { DeflateStream } from '../stream/deflateStream.ts';
import { ItemWriter } from '../stream/itemWriter.ts';
import { ChunkWriter } from './chunkWriter.ts';

/** A snapshot to be written; crosses to the thread that writes it. */
export interface SnapshotJob {
  readonly frozen: FrozenState;
  readonly draft: string;
  readonly restorePoint: RestorePoint;
  /** Blocks that are compressed beside the thread; 0: in it. */
  readonly parallel: number;
}

/** Writes the whole draft, synced; `onProgress` is told of the leaves so far, a few times a second. */
export async function writeSnapshot(
  job: SnapshotJob,
  onProgress: (leaves: number) => void = () => undefined,
): Promise<SnapshotDescription> {
  const { frozen, draft, restorePoint, parallel } = job;
  const format = String(SNAPSHOT_FORMAT);
  const chunks = new ChunkWriter(join(draft, format));
  const deflate = new DeflateStream({ parallel }, (bytes) => chunks.write(bytes));
  const items = new ItemWriter(
    (block) => deflate.write(block),
    () => deflate.isFull,
  );
  for (const _full of exportState(frozen, items)) {
    await deflate.room();
    onProgress(items.leafCount);
  }
  items.finish();
  await deflate.finish();
  const { hash, chunkHashes } = chunks.finish();
  const description = {
    height: frozen.version,
    format: SNAPSHOT_FORMAT,
    chunks: chunkHashes.length,
    hash,
    chunkHashes,
  };
  syncDirectorySync(join(draft, format));
  writeFileSync(join(draft, SHELF_FILES.restorePoint), encodeRestorePoint(restorePoint), { flush: true });
  writeFileSync(join(draft, SHELF_FILES.description), encodeDescription(description), { flush: true });
  syncDirectorySync(draft);
  return description;
}
