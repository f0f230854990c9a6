import { maskedCrc32c } from './crc32c.ts';
import { BLOCK_BYTES, blockEndOf, fragmentAt, isTrailer } from './logFragments.ts';

const PAGE_BYTES = 4096;
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES);

/**
 * Where a log of LevelDB is damaged: the offset of a bad record that whole ones follow, which LevelDB would pass
 * over. What a crash leaves is no damage: a torn tail, and an empty page in the midst, for a power loss may take
 * any page that was not synced. What such a page held is above the store's synced mark, and is written again.
 */
export function damageInLog(file: Buffer): number | undefined {
  for (let at = 0; at < file.length; ) {
    const end = isTrailer(at) ? blockEndOf(at) : wholeFragmentEnd(file, at);
    if (end !== undefined) at = end;
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

function wholeFragmentEnd(file: Buffer, at: number): number | undefined {
  const fragment = fragmentAt(file, at);
  const isWhole = fragment && maskedCrc32c(file, at + 6, fragment.end) === file.readUInt32LE(at);
  return isWhole ? fragment.end : undefined;
}

/** In the rest of the block a record may begin anywhere; in later blocks it is enough to look at the beginning. */
function recordBehind(file: Buffer, bad: number): number | undefined {
  const blockEnd = blockEndOf(bad);
  for (let at = bad + 1; at < Math.min(blockEnd, file.length); at++)
    if (wholeFragmentEnd(file, at)) return at;
  for (let at = blockEnd; at < file.length; at += BLOCK_BYTES) {
    if (wholeFragmentEnd(file, at)) return at;
  }
  return undefined;
}
