import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FileWindow } from './fileWindow.ts';

/** First bytes of each segment; tells it from any other program's log. The last one is the format's number. */
const SEGMENT_MAGIC: Uint8Array = Buffer.from('CHAINLG\x03', 'latin1');
/** Its frames do not say where in a batch they are. It is read, and not written to. */
const OLDER_MAGIC: Uint8Array = Buffer.from('CHAINLG\x02', 'latin1');
/** magic 8 ‖ mark 8 ‖ CRC-32 of both 4. */
export const SEGMENT_HEADER_BYTES = 20;
/** magic 4 ‖ CRC-32 of the rest 4 ‖ payload length 4 ‖ place in its batch 4 (not in the older format), little-endian. */
const FRAME_OVERHEAD = 16;
const OLDER_OVERHEAD = 12;

/**
 * What the frames of one segment begin with and what their checksums start from, so that a valid frame behind a
 * bad one can be found. Random: whoever has transactions logged must not be able to put a frame into a record.
 */
export interface FrameMark {
  readonly magic: Uint8Array;
  readonly seed: number;
  /** Whether frames tell their place in the batch that one sync made durable. */
  readonly hasPlaces: boolean;
}

/** A whole and valid frame. */
export interface Frame {
  readonly payload: Uint8Array;
  /** How many frames of the same batch, written before one sync, are before it. */
  readonly place: number;
  /** Where the next one begins. */
  readonly end: number;
}

const markOf = (bytes: Buffer, hasPlaces: boolean): FrameMark => ({
  magic: Uint8Array.from(bytes.subarray(0, 4)),
  seed: bytes.readUInt32LE(4),
  hasPlaces,
});

/** The header of a new segment, with a mark of its own. */
export function newSegmentHeader(): { header: Uint8Array; mark: FrameMark } {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  header.set(SEGMENT_MAGIC, 0);
  header.set(randomBytes(8), 8);
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16);
  return { header, mark: markOf(header.subarray(8), true) };
}

/** The header of a file: its mark, or why there is none. A torn header is zeros or the beginning of one. */
export function readSegmentHeader(file: FileWindow): FrameMark | 'torn' | 'damaged' | 'foreign' {
  const head = file.view(0, Math.min(file.size, SEGMENT_HEADER_BYTES))!;
  const magic = head.subarray(0, SEGMENT_MAGIC.length);
  const isOlder = magic.length === OLDER_MAGIC.length && magic.equals(OLDER_MAGIC);
  const begins = isOlder || magic.compare(SEGMENT_MAGIC, 0, magic.length) === 0;
  if (!begins && head.some((byte) => byte !== 0)) return 'foreign';
  if (
    begins &&
    head.length === SEGMENT_HEADER_BYTES &&
    crc32(head.subarray(0, 16)) === head.readUInt32LE(16)
  ) {
    return markOf(head.subarray(8), !isOlder);
  }
  // No record is written before the header is durable: where more follows, this one once was whole.
  return file.size <= SEGMENT_HEADER_BYTES ? 'torn' : 'damaged';
}

/** For a segment whose frames have places. */
export function encodeFrame(payload: Uint8Array, place: number, { magic, seed }: FrameMark): Uint8Array {
  const frame = Buffer.allocUnsafe(FRAME_OVERHEAD + payload.length);
  frame.set(magic, 0);
  frame.writeUInt32LE(payload.length, 8);
  frame.writeUInt32LE(place, 12);
  frame.set(payload, FRAME_OVERHEAD);
  frame.writeUInt32LE(crc32(frame.subarray(8), seed), 4);
  return frame;
}

/** The frame at `offset`, or `undefined` when there is no whole and valid one. */
export function readFrame(file: FileWindow, offset: number, mark: FrameMark): Frame | undefined {
  const overhead = mark.hasPlaces ? FRAME_OVERHEAD : OLDER_OVERHEAD;
  const head = file.view(offset, overhead);
  if (head?.compare(mark.magic, 0, 4, 0, 4) !== 0) return undefined;
  const checksum = head.readUInt32LE(4);
  const length = head.readUInt32LE(8);
  const place = mark.hasPlaces ? head.readUInt32LE(12) : 0;
  const end = offset + overhead + length;
  const body = file.view(offset + 8, end - offset - 8);
  if (!body || crc32(body, mark.seed) !== checksum) return undefined;
  return { payload: body.subarray(overhead - 8), place, end };
}

/** The valid frames that begin behind `offset`, where there is none. */
export function* framesBehind(file: FileWindow, offset: number, mark: FrameMark): Iterable<Frame> {
  for (let at = file.find(mark.magic, offset + 1); at >= 0; at = file.find(mark.magic, at + 1)) {
    const frame = readFrame(file, at, mark);
    if (frame) yield frame;
  }
}
