import { ByteCursor } from './byteCursor.ts';
import { decodeVersionList, encodeVersionList, type VersionList } from './versionList.ts';

/** Pages that one index page lists. */
export const FAN_OUT = 64;

/**
 * The right edge of a key's tree of pages, kept in its head: `spine[i]` lists the pages of level `i` that no
 * page of level `i + 1` lists yet.
 */
export type Spine = readonly VersionList[];

/** A page that is complete and goes to its own row. */
export interface FullPage {
  readonly level: number;
  readonly ordinal: number;
  readonly bytes: Uint8Array;
}

export function encodeSpine(spine: Spine): Uint8Array {
  return Buffer.concat([Uint8Array.of(spine.length), ...spine.map(encodeVersionList)]);
}

export function decodeSpine(bytes: Uint8Array): Spine {
  if (bytes.length === 0) return [];
  const cursor = new ByteCursor(bytes, 1);
  return Array.from({ length: bytes[0]! }, () => decodeVersionList(cursor));
}

/** Lists the next leaf; gives the ordinal it got and the index pages that became full. */
export function pushLeaf(
  spine: Spine,
  lowestVersion: number,
): { spine: Spine; ordinal: number; full: FullPage[] } {
  const next = [...spine];
  const full: FullPage[] = [];
  const ordinal = next[0] ? next[0].first + next[0].versions.length : 0;
  let lowest: number | undefined = lowestVersion;
  for (let level = 0; lowest !== undefined; level++) {
    const list: VersionList = next[level] ?? { first: 0, versions: [] };
    const grown: VersionList = { first: list.first, versions: [...list.versions, lowest] };
    const end = grown.first + grown.versions.length;
    lowest = undefined;
    if (end % FAN_OUT !== 0) {
      next[level] = grown;
      continue;
    }
    full.push({ level: level + 1, ordinal: end / FAN_OUT - 1, bytes: encodeVersionList(grown) });
    next[level] = { first: end, versions: [] };
    lowest = grown.versions[0]!;
  }
  return { spine: next, ordinal, full };
}
