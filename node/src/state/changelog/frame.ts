import { crc32 } from 'node:zlib';
import type { FileWindow } from './fileWindow.ts';

/** First bytes of each segment; tells it from any other program's log. */
export const SEGMENT_HEADER: Uint8Array = Buffer.from('CHAINLG\x01', 'latin1');
/** Begins each frame, so that a valid frame behind a bad one can be found. */
const FRAME_MAGIC: Uint8Array = Buffer.from([0xc4, 0xb1, 0x0c, 0x5e]);
/** magic 4 ‖ CRC-32 of the rest 4 ‖ payload length 4, little-endian. */
export const FRAME_OVERHEAD = 12;

export function encodeFrame(payload: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(FRAME_OVERHEAD + payload.length);
  frame.set(FRAME_MAGIC, 0);
  frame.writeUInt32LE(payload.length, 8);
  frame.set(payload, FRAME_OVERHEAD);
  frame.writeUInt32LE(crc32(frame.subarray(8)), 4);
  return frame;
}

/** The payload of the frame at `offset`, or `undefined` when there is no whole and valid one. */
export function readFrame(file: FileWindow, offset: number): Uint8Array | undefined {
  const head = file.view(offset, FRAME_OVERHEAD);
  if (head?.compare(FRAME_MAGIC, 0, 4, 0, 4) !== 0) return undefined;
  const checksum = head.readUInt32LE(4);
  const body = file.view(offset + 8, 4 + head.readUInt32LE(8));
  if (!body || crc32(body) !== checksum) return undefined;
  return body.subarray(4);
}

/** Whether any valid frame begins behind `offset`: then what is bad at `offset` is not a torn tail. */
export function validFrameBehind(file: FileWindow, offset: number): boolean {
  for (let at = file.find(FRAME_MAGIC, offset + 1); at >= 0; at = file.find(FRAME_MAGIC, at + 1)) {
    if (readFrame(file, at)) return true;
  }
  return false;
}
