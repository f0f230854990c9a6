import { type FileHandle, open } from 'node:fs/promises';
import { CodedError } from '@chain/platform';
import { decodeDescription, type SnapshotDescription } from '../description.ts';
import { decodeRestorePoint, type RestorePoint } from '../restorePoint.ts';
import { badArchive, decodeTarHeader, paddingOf, TAR_BLOCK_BYTES } from './tarEntry.ts';

/** Entries of an archive in their order; behind them the chunks, named by their index. */
export const ARCHIVE_ENTRIES = { description: '_snapshot', restorePoint: '_restore_point' } as const;

/** A restore point holds a block; chunks are bounded again where they are applied. */
const MAX_ENTRY_BYTES = 128 << 20;

/** A snapshot in one file. */
export interface SnapshotArchive {
  readonly description: SnapshotDescription;
  readonly restorePoint: RestorePoint;
  /** The chunks in order, one in memory at a time; not compared with their hashes. */
  chunks(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Opens an archive and reads what stands before the chunks. Throws SNAPSHOT_ARCHIVE, SNAPSHOT_DESCRIPTION. */
export async function openArchive(path: string): Promise<SnapshotArchive> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => unreadable(path, cause));
  try {
    const reader = new TarReader(file, path);
    const description = decodeDescription(await reader.entry(ARCHIVE_ENTRIES.description));
    const restorePoint = decodeRestorePoint(await reader.entry(ARCHIVE_ENTRIES.restorePoint));
    return {
      description,
      restorePoint,
      chunks: async function* () {
        for (let index = 0; index < description.chunks; index++) yield await reader.entry(String(index));
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

class TarReader {
  readonly #file: FileHandle;
  readonly #path: string;
  #at = 0;

  constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** The content of the next entry, which must have this name. */
  async entry(name: string): Promise<Uint8Array> {
    const entry = decodeTarHeader(await this.#read(TAR_BLOCK_BYTES), this.#path);
    if (entry?.name !== name) {
      throw badArchive(this.#path, `"${entry?.name ?? 'its end'}" is where "${name}" should be`);
    }
    if (entry.size > MAX_ENTRY_BYTES) throw badArchive(this.#path, `"${name}" has ${entry.size} bytes`);
    const bytes = await this.#read(entry.size);
    this.#at += paddingOf(entry.size);
    return bytes;
  }

  async #read(length: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#file
        .read(bytes, done, length - done, this.#at + done)
        .catch((cause: NodeJS.ErrnoException) => unreadable(this.#path, cause));
      if (bytesRead === 0) throw badArchive(this.#path, `it ends at byte ${this.#at + done}`);
      done += bytesRead;
    }
    this.#at += length;
    return bytes;
  }
}

function unreadable(path: string, cause: NodeJS.ErrnoException): never {
  throw new CodedError(
    'SNAPSHOT_ARCHIVE',
    `${path} cannot be read (${cause.code}); name the file of an export`,
    { fields: { path }, cause },
  );
}
