import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';

/** Flat-file layout of state.md §1.5: little-endian, both record kinds 48 bytes. */
export const RECORD_BYTES = 48;
const FILE_MAGIC = 0x4c564149;
const FILE_FORMAT = 0;
/** Node references keep 30 bits for a record index. */
export const MAX_LEAVES = 2 ** 30 - 2;

export interface FlatFile {
  readonly path: string;
  readonly handle: number;
  readonly size: number;
}

export function damagedFile(path: string, why: string): CodedError {
  return new CodedError(
    'STATE_COMMIT_SNAPSHOT_DAMAGED',
    `snapshot file ${path} ${why}; restore it from a backup or state-sync`,
    { fields: { path } },
  );
}

export function openFlatFile(directory: string, name: string): FlatFile {
  const path = join(directory, name);
  try {
    const handle = openSync(path, 'r');
    return { path, handle, size: fstatSync(handle).size };
  } catch (error) {
    throw asMissing(path, error);
  }
}

function asMissing(path: string, error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? damagedFile(path, 'is missing') : error;
}

export function closeFlatFile(file: FlatFile): void {
  closeSync(file.handle);
}

/** The tree's version. Throws STATE_COMMIT_SNAPSHOT_DAMAGED. */
export function readTreeMetadata(directory: string): number {
  const path = join(directory, 'metadata');
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw asMissing(path, error);
  }
  if (bytes.length !== 12 || bytes.readUInt32LE(0) !== FILE_MAGIC || bytes.readUInt32LE(4) !== FILE_FORMAT) {
    throw damagedFile(path, 'is not the metadata of a tree in a known format');
  }
  return bytes.readUInt32LE(8);
}

export function encodeTreeMetadata(version: number): Uint8Array {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(FILE_MAGIC, 0);
  bytes.writeUInt32LE(FILE_FORMAT, 4);
  bytes.writeUInt32LE(version, 8);
  return bytes;
}
