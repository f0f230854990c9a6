import { maskedCrc32c } from './crc32c.ts';

const BLOCK_BYTES = 32_768;
/** CRC-32C 4 ‖ length 2 ‖ type 1. */
const HEADER_BYTES = 7;
const LAST_TYPE = 4;
const PAGE_BYTES = 4096;
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES);

/**
 * Where a log of LevelDB is damaged: the offset of a bad record that whole ones follow, which LevelDB would pass
 * over. What a crash leaves is no damage: a torn tail, and an empty page in the midst, for a power loss may take
 * any page that was not synced. What such a page held is above the store's synced mark, and is written again.
 */
export function damageInLog(file: Buffer): number | undefined {
  for (let at = 0; at < file.length; ) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEADER_BYTES) at += left;
    else if (isRecord(file, at)) at += HEADER_BYTES + file.readUInt16LE(at + 4);
    else {
      const next = recordBehind(file, at);
      if (next === undefined) return undefined;
      if (!hasEmptyPage(file, at, next)) return at;
      at = next;
    }
  }
  return undefined;
}

function hasEmptyPage(file: Buffer, from: number, to: number): boolean {
  const first = Math.ceil(from / PAGE_BYTES) * PAGE_BYTES;
  for (let page = first; page + PAGE_BYTES <= to; page += PAGE_BYTES) {
    if (file.subarray(page, page + PAGE_BYTES).equals(EMPTY_PAGE)) return true;
  }
  return false;
}

function isRecord(file: Buffer, at: number): boolean {
  if (at + HEADER_BYTES > file.length) return false;
  const type = file[at + 6]!;
  const end = at + HEADER_BYTES + file.readUInt16LE(at + 4);
  const blockEnd = at - (at % BLOCK_BYTES) + BLOCK_BYTES;
  if (type === 0 || type > LAST_TYPE || end > Math.min(blockEnd, file.length)) return false;
  return maskedCrc32c(file, at + 6, end) === file.readUInt32LE(at);
}

/** In the rest of the block a record may begin anywhere; in later blocks it is enough to look at the beginning. */
function recordBehind(file: Buffer, bad: number): number | undefined {
  const blockEnd = Math.min(file.length, bad - (bad % BLOCK_BYTES) + BLOCK_BYTES);
  for (let at = bad + 1; at < blockEnd; at++) if (isRecord(file, at)) return at;
  for (let at = bad - (bad % BLOCK_BYTES) + BLOCK_BYTES; at < file.length; at += BLOCK_BYTES) {
    if (isRecord(file, at)) return at;
  }
  return undefined;
}
