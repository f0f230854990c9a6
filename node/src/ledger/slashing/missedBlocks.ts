import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { slashingKeys } from './slashingRows.ts';

const BITS_PER_ROW = 1024;
const LENGTH_BYTES = 8;
const ROW_BYTES = LENGTH_BYTES + BITS_PER_ROW / 8;

/** Whether a validator missed the block at an index of its window. `address`: consensus address, 20 bytes. */
export function readMissed(overlay: Overlay, address: Uint8Array, index: number): boolean {
  const row = overlay.get(STORE.slashing, rowKey(address, index));
  const [byte, bit] = placeOf(index);
  return row !== undefined && ((row[byte]! >> bit) & 1) === 1;
}

export function writeMissed(overlay: Overlay, address: Uint8Array, index: number, missed: boolean): void {
  const key = rowKey(address, index);
  const row = Uint8Array.from(overlay.get(STORE.slashing, key) ?? emptyRow());
  const [byte, bit] = placeOf(index);
  row[byte] = missed ? row[byte]! | (1 << bit) : row[byte]! & ~(1 << bit);
  overlay.set(STORE.slashing, key, row);
}

/** Forgets a window of so many blocks. */
export function clearMissed(overlay: Overlay, address: Uint8Array, window: number): void {
  for (let index = 0; index < window; index += BITS_PER_ROW) {
    const key = rowKey(address, index);
    if (overlay.get(STORE.slashing, key)) overlay.delete(STORE.slashing, key);
  }
}

const rowKey = (address: Uint8Array, index: number): Uint8Array =>
  slashingKeys.missedBlocks(address, Math.floor(index / BITS_PER_ROW));

/** The SDK keeps a bitset: its length, then words of 64 bits, big endian, the first bit lowest in its word. */
function placeOf(index: number): readonly [byte: number, bit: number] {
  const at = index % BITS_PER_ROW;
  const word = Math.floor(at / 64);
  return [LENGTH_BYTES + word * 8 + 7 - Math.floor((at % 64) / 8), at % 8];
}

function emptyRow(): Uint8Array {
  const row = new Uint8Array(ROW_BYTES);
  new DataView(row.buffer).setBigUint64(0, BigInt(BITS_PER_ROW));
  return row;
}
