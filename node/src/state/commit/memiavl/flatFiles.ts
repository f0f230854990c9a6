import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CodedError } from '@chain/platform';

/** Flat-file layout of spec S-4: little-endian, both record kinds 48 bytes. */
export const RECORD_BYTES = 48;
const FILE_MAGIC = 0x4c564149;
const FILE_FORMAT = 0;
/** Node references keep 30 bits for a record index. */
export const MAX_LEAVES = 2 ** 30 - 2;

/** Files are read, kept in memory and checked by pages of 256 records. */
export const PAGE_BYTES = 256 * RECORD_BYTES;

export interface FlatFile {
  readonly path: string;
  readonly handle: number;
  readonly size: number;
  /** CRC-32 of each page. */
  readonly sums: Uint32Array;
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
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (error) {
    throw asMissing(path, error);
  }
  try {
    const { size } = fstatSync(handle);
    return { path, handle, size, sums: size === 0 ? new Uint32Array(0) : readPageSums(path) };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Beside each flat file that is not empty: the CRC-32 of each of its pages, and of these, as u32 LE. */
export const pageSumsPath = (path: string): string => `${path}.crc`;

export function encodePageSums(sums: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * (sums.length + 1));
  for (const [i, sum] of sums.entries()) bytes.writeUInt32LE(sum, 4 * i);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

function readPageSums(flatFile: string): Uint32Array {
  const path = pageSumsPath(flatFile);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw asMissing(path, error);
  }
  const whole = bytes.length >= 4 && bytes.length % 4 === 0;
  if (!whole || crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(bytes.length - 4)) {
    throw damagedFile(path, 'does not match its own checksum');
  }
  return Uint32Array.from({ length: bytes.length / 4 - 1 }, (_, i) => bytes.readUInt32LE(4 * i));
}

/** Throws STATE_COMMIT_SNAPSHOT_DAMAGED when page `index` is not what was written. */
export function checkPage(file: FlatFile, index: number, bytes: Uint8Array): void {
  if (crc32(bytes) === file.sums[index]) return;
  throw damagedFile(file.path, `does not match its checksum at offset ${index * PAGE_BYTES}`);
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
