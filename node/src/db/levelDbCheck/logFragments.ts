/** A log of LevelDB (doc/log_format.md): blocks of fragments, each CRC-32C 4 ‖ length 2 ‖ type 1 ‖ bytes. */
export const BLOCK_BYTES = 32_768;
export const HEADER_BYTES = 7;
/** FULL 1, FIRST 2, MIDDLE 3, LAST 4; 0 is space that was never written. */
export const FULL = 1;
export const FIRST = 2;
export const LAST = 4;

export interface LogFragment {
  readonly type: number;
  /** Behind its bytes. */
  readonly end: number;
}

/** Where the block that holds `at` ends. */
export function blockEndOf(at: number): number {
  return at - (at % BLOCK_BYTES) + BLOCK_BYTES;
}

/** Whether what is left of the block at `at` is too short for a header, and so filled with zeros. */
export function isTrailer(at: number): boolean {
  return blockEndOf(at) - at < HEADER_BYTES;
}

/** The fragment at `at` as far as its header tells; undefined where none of that length lies within block and file. */
export function fragmentAt(file: Buffer, at: number): LogFragment | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  const type = file[at + 6]!;
  const end = at + HEADER_BYTES + file.readUInt16LE(at + 4);
  if (type === 0 || type > LAST || end > Math.min(blockEndOf(at), file.length)) return undefined;
  return { type, end };
}
