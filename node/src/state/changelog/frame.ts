import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FileWindow } from './fileWindow.ts';

/** First bytes of each segment; tells it from any other program's log. */
const SEGMENT_MAGIC: Uint8Array = Buffer.from('CHAINLG\x02', 'latin1');
/** magic 8 ‖ mark 8 ‖ CRC-32 of both 4. */
export const SEGMENT_HEADER_BYTES = 20;
/** magic 4 ‖ CRC-32 of the rest 4 ‖ payload length 4, little-endian. */
export const FRAME_OVERHEAD = 12;

/**
 * What the frames of one segment begin with and what their checksums start from, so that a valid frame behind a
 * bad one can be found. Random: whoever has transactions logged must not be able to put a frame into a record.
 */
export interface FrameMark {
  readonly magic: Uint8Array;
  readonly seed: number;
}

const markOf = (bytes: Buffer): FrameMark => ({
  magic: Uint8Array.from(bytes.subarray(0, 4)),
  seed: bytes.readUInt32LE(4),
});

/** The header of a new segment, with a mark of its own. */
export function newSegmentHeader(): { header: Uint8Array; mark: FrameMark } {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  header.set(SEGMENT_MAGIC, 0);
  header.set(randomBytes(8), 8);
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16);
  return { header, mark: markOf(header.subarray(8)) };
}

/** The header of a file: its mark, or why there is none. A torn header is zeros or the beginning of one. */
export function readSegmentHeader(file: FileWindow): FrameMark | 'torn' | 'damaged' | 'foreign' {
  const head = file.view(0, Math.min(file.size, SEGMENT_HEADER_BYTES))!;
  const magic = head.subarray(0, SEGMENT_MAGIC.length);
  const begins = magic.compare(SEGMENT_MAGIC, 0, magic.length) === 0;
  if (!begins && head.some((byte) => byte !== 0)) return 'foreign';
  if (
    begins &&
    head.length === SEGMENT_HEADER_BYTES &&
    crc32(head.subarray(0, 16)) === head.readUInt32LE(16)
  ) {
    return markOf(head.subarray(8));
  }
  // No record is written before the header is durable: where more follows, this one once was whole.
  return file.size <= SEGMENT_HEADER_BYTES ? 'torn' : 'damaged';
}

export function encodeFrame(payload: Uint8Array, { magic, seed }: FrameMark): Uint8Array {
  const frame = Buffer.allocUnsafe(FRAME_OVERHEAD + payload.length);
  frame.set(magic, 0);
  frame.writeUInt32LE(payload.length, 8);
  frame.set(payload, FRAME_OVERHEAD);
  frame.writeUInt32LE(crc32(frame.subarray(8), seed), 4);
  return frame;
}

/** The payload of the frame at `offset`, or `undefined` when there is no whole and valid one. */
export function readFrame(file: FileWindow, offset: number, mark: FrameMark): Uint8Array | undefined {
  const head = file.view(offset, FRAME_OVERHEAD);
  if (head?.compare(mark.magic, 0, 4, 0, 4) !== 0) return undefined;
  const checksum = head.readUInt32LE(4);
  const body = file.view(offset + 8, 4 + head.readUInt32LE(8));
  if (!body || crc32(body, mark.seed) !== checksum) return undefined;
  return body.subarray(4);
}

/** Whether any valid frame begins behind `offset`: then what is bad at `offset` is not a torn tail. */
export function validFrameBehind(file: FileWindow, offset: number, mark: FrameMark): boolean {
  for (let at = file.find(mark.magic, offset + 1); at >= 0; at = file.find(mark.magic, at + 1)) {
    if (readFrame(file, at, mark)) return true;
  }
  return false;
}
