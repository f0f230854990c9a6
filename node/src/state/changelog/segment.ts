import { closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { isLockFile } from './directoryLock.ts';
import { type ChangelogEntry, decodeEntry } from './entryCodec.ts';
import { FileWindow } from './fileWindow.ts';
import { type FrameMark, framesBehind, readFrame, readSegmentHeader, SEGMENT_HEADER_BYTES } from './frame.ts';
import { ProtoReader } from './protoReader.ts';

/** One file of the log. `size` counts the durable bytes; `offsets[i]` is where version `firstVersion + i` is. */
export interface Segment {
  readonly path: string;
  readonly firstVersion: number;
  size: number;
  /** Filled when the segment is first read, like `mark`. */
  offsets: number[] | undefined;
  mark: FrameMark | undefined;
}

export function segmentPath(directory: string, firstVersion: number): string {
  return join(directory, String(firstVersion).padStart(20, '0'));
}

/** The segments of a directory, oldest first, not yet indexed. Throws CHANGELOG_FOREIGN on any other file. */
export function listSegments(directory: string): Segment[] {
  const names = readdirSync(directory).filter((name) => !isLockFile(name) && !name.endsWith('-tmp'));
  return names.sort().map((name) => {
    const path = join(directory, name);
    const firstVersion = Number(name);
    if (!/^\d{20}$/.test(name) || firstVersion === 0 || !statSync(path).isFile()) throw foreign(path);
    return { path, firstVersion, size: statSync(path).size, offsets: undefined, mark: undefined };
  });
}

function withFile<T>(path: string, use: (handle: number) => T): T {
  const handle = openSync(path, 'r');
  try {
    return use(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Checks the segment whole and fills `offsets`. Returns where the valid entries end. What follows them is a torn
 * tail when `isLast` and all that is valid behind it belongs to the same batch, which no sync had made durable;
 * otherwise CHANGELOG_CORRUPT, naming file and offset.
 */
export function indexSegment(segment: Segment, isLast: boolean): number {
  return withFile(segment.path, (handle) => {
    const file = new FileWindow(handle, segment.size);
    const mark = readSegmentHeader(file);
    if (mark === 'torn' && isLast) return 0;
    if (mark === 'foreign') throw foreign(segment.path);
    if (typeof mark === 'string') throw corrupt(segment.path, 0);
    const offsets: number[] = [];
    let offset = SEGMENT_HEADER_BYTES;
    for (let frame = readFrame(file, offset, mark); frame; frame = readFrame(file, offset, mark)) {
      checkVersion(segment, frame.payload, segment.firstVersion + offsets.length);
      offsets.push(offset);
      offset = frame.end;
    }
    const tail = { offset, version: segment.firstVersion + offsets.length };
    if (offset < segment.size && !(isLast && isUnsynced(file, tail, mark))) {
      throw corrupt(segment.path, offset);
    }
    segment.offsets = offsets;
    segment.mark = mark;
    return offset;
  });
}

/** Whether no batch begins behind the missing version: none is written before the one in front of it is durable. */
function isUnsynced(
  file: FileWindow,
  missing: { readonly offset: number; readonly version: number },
  mark: FrameMark,
): boolean {
  for (const { payload, place } of framesBehind(file, missing.offset, mark)) {
    if (versionOf(payload) - place > missing.version) return false;
  }
  return true;
}

/** The entry of an indexed segment; its bytes are its own. */
export function readEntry(segment: Segment, handle: number, version: number): ChangelogEntry {
  const offset = segment.offsets![version - segment.firstVersion]!;
  const next = segment.offsets![version - segment.firstVersion + 1] ?? segment.size;
  const file = new FileWindow(handle, next);
  const frame = readFrame(file, offset, segment.mark!);
  if (!frame) throw corrupt(segment.path, offset);
  const { payload } = frame;
  return decodeEntry(new Uint8Array(payload.buffer, payload.byteOffset, payload.length));
}

/** The segment ends before `next`, the first version of the segment behind it. */
export function gapBehind(segment: Segment, next: number): CodedError {
  const last = segment.firstVersion + (segment.offsets?.length ?? 0) - 1;
  return new CodedError(
    'CHANGELOG_GAP',
    `changelog file ${segment.path} ends at version ${last} and the next file begins at ${next}; restore the data directory from a backup or state-sync`,
    { fields: { path: segment.path, last, next } },
  );
}

function versionOf(payload: Uint8Array): number {
  const reader = new ProtoReader(payload);
  return reader.nextTag() === 0x08 ? reader.uvarint() : 0;
}

function checkVersion(segment: Segment, payload: Uint8Array, expected: number): void {
  const version = versionOf(payload);
  if (version !== expected) {
    throw new CodedError(
      'CHANGELOG_GAP',
      `changelog file ${segment.path} holds version ${version} where ${expected} belongs; restore the data directory from a backup or state-sync`,
      { fields: { path: segment.path, version, expected } },
    );
  }
}

function corrupt(path: string, offset: number): CodedError {
  return new CodedError(
    'CHANGELOG_CORRUPT',
    `changelog file ${path} is damaged at offset ${offset}; restore it from a backup or state-sync`,
    { fields: { path, offset } },
  );
}

function foreign(path: string): CodedError {
  return new CodedError(
    'CHANGELOG_FOREIGN',
    `${path} was not written by this program; the changelog needs a directory of its own`,
    { fields: { path } },
  );
}
