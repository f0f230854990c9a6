import { readFileSync } from 'node:fs';
import { Instance, Memory, Module } from '../../primitives/index.ts';

interface Exports {
  prepare(): void;
  update(crc: number, from: number, length: number): number;
}

const PAGES = 20;
/** Behind the tables (node/assembly/crc). */
const ROOM_AT = 0x8000;
const ROOM_BYTES = 1 << 20;
const MASK_DELTA = 0xa282ead8;

// Scratch only: nothing of one sum is left for the next.
const memory = new Memory({ initial: PAGES, maximum: PAGES });
const room = new Uint8Array(memory.buffer, ROOM_AT, ROOM_BYTES);
const module = new Module(readFileSync(new URL('./crc32c.wasm', import.meta.url)));
const { prepare, update } = new Instance(module, { env: { memory } }).exports as Exports;
prepare();

/** CRC-32C (Castagnoli) of `bytes[start … end)`, masked as LevelDB stores it. */
export function maskedCrc32c(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff;
  for (let at = start; at < end; at += ROOM_BYTES) {
    const part = bytes.subarray(at, Math.min(end, at + ROOM_BYTES));
    room.set(part);
    crc = update(crc, ROOM_AT, part.length);
  }
  crc = ~crc >>> 0;
  return ((((crc >>> 15) | (crc << 17)) >>> 0) + MASK_DELTA) >>> 0;
}
