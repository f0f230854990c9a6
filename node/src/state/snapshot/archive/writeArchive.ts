import { hash } from 'node:crypto';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodedError, diskFull, isDiskFull, pathExists, syncDirectory } from '@chain/platform';
import { equalBytes } from '../../../primitives/index.ts';
import { encodeDescription } from '../description.ts';
import { encodeRestorePoint } from '../restorePoint.ts';
import type { ShelvedSnapshot, SnapshotShelf } from '../shelf/snapshotShelf.ts';
import { ARCHIVE_ENTRIES } from './readArchive.ts';
import { encodeTarHeader, paddingOf, TAR_BLOCK_BYTES, TAR_END, type TarEntry } from './tarEntry.ts';

export interface ArchiveOptions {
  readonly height: number;
  readonly path: string;
  readonly onProgress?: (chunks: number, total: number) => void;
}

/**
 * Puts a snapshot of the shelf into one tar file, each chunk checked on the way. It is written beside its place and
 * renamed when it is whole; what an interrupted export left is checked and gone on with. Gives the bytes written
 * before and now. Throws SNAPSHOT_ABSENT, SNAPSHOT_DAMAGED, SNAPSHOT_ARCHIVE_EXISTS.
 */
export async function writeArchive(
  { height, path, onProgress }: ArchiveOptions,
  shelf: SnapshotShelf,
): Promise<{ readonly bytes: number; readonly resumedBytes: number }> {
  if (await pathExists(path)) throw archiveExists(path);
  const snapshot = shelf.read(height);
  const { chunks, chunkHashes } = snapshot.description;
  const part = `${path}.part`;
  const file = await open(part, (await pathExists(part)) ? 'r+' : 'w+').catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  try {
    const writer = new ArchiveWriter(file, (await stat(part)).size);
    for (const { name, bytes } of headEntries(snapshot)) await writer.entry(name, bytes);
    for (let index = 0; index < chunks; index++) {
      const bytes = await shelf.loadChunk(height, index);
      if (!equalBytes(hash('sha256', bytes, 'buffer'), chunkHashes[index]!))
        throw damagedChunk(height, index);
      await writer.entry(String(index), bytes);
      onProgress?.(index + 1, chunks);
    }
    await writer.finish();
    await file.sync();
    await rename(part, path);
    await syncDirectory(dirname(path));
    return { bytes: writer.length, resumedBytes: writer.resumed };
  } catch (error) {
    throw isDiskFull(error) ? diskFull(part, error) : error;
  } finally {
    await file.close();
  }
}

function headEntries({ description, restorePoint }: ShelvedSnapshot) {
  return [
    { name: ARCHIVE_ENTRIES.description, bytes: encodeDescription(description) },
    { name: ARCHIVE_ENTRIES.restorePoint, bytes: encodeRestorePoint(restorePoint) },
  ];
}

/** Appends entries; one that lies there already, to the byte, is kept, and the first that differs ends that. */
class ArchiveWriter {
  readonly #file: FileHandle;
  #found: number;
  length = 0;
  resumed = 0;

  constructor(file: FileHandle, found: number) {
    this.#file = file;
    this.#found = found;
  }

  async entry(name: string, bytes: Uint8Array): Promise<void> {
    const entry: TarEntry = { name, size: bytes.length };
    const whole = Buffer.alloc(TAR_BLOCK_BYTES + bytes.length + paddingOf(bytes.length));
    whole.set(encodeTarHeader(entry));
    whole.set(bytes, TAR_BLOCK_BYTES);
    if (await this.#holds(whole)) this.resumed += whole.length;
    else await this.#write(whole);
    this.length += whole.length;
  }

  async finish(): Promise<void> {
    await this.#write(TAR_END);
    this.length += TAR_END.length;
  }

  async #holds(whole: Buffer): Promise<boolean> {
    if (this.length + whole.length > this.#found) return false;
    const there = Buffer.alloc(whole.length);
    await this.#file.read(there, 0, there.length, this.length);
    return there.equals(whole);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#found > this.length) await this.#file.truncate(this.length);
    this.#found = 0;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.length + done);
      done += bytesWritten;
    }
  }
}

function archiveExists(path: string): CodedError {
  return new CodedError(
    'SNAPSHOT_ARCHIVE_EXISTS',
    `${path} exists; choose another name, or remove it first`,
    {
      fields: { path },
    },
  );
}

function unwritable(path: string, cause: unknown): CodedError {
  return new CodedError(
    'SNAPSHOT_ARCHIVE',
    `${path} cannot be written (${(cause as NodeJS.ErrnoException).code}); name a file in a directory that exists and is yours`,
    { fields: { path }, cause },
  );
}

function damagedChunk(height: number, index: number): CodedError {
  return new CodedError(
    'SNAPSHOT_DAMAGED',
    `chunk ${index} of snapshot ${height} does not have its hash: the disk changed it; delete the snapshot and create another`,
    { fields: { height, index } },
  );
}
