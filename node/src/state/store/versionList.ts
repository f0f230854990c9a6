import { putUvarint, uvarintLength } from '../../primitives/index.ts';
import { ByteCursor } from './byteCursor.ts';

/** Lowest versions, ascending, of consecutive pages of one level; `first` is the ordinal of the first page. */
export interface VersionList {
  readonly first: number;
  readonly versions: readonly number[];
}

/** `first ‖ count ‖ lowest version ‖ differences`, all uvarint. */
export function encodeVersionList({ first, versions }: VersionList): Uint8Array {
  let size = uvarintLength(first) + uvarintLength(versions.length);
  let previous = 0;
  for (const version of versions) {
    size += uvarintLength(version - previous);
    previous = version;
  }
  const bytes = new Uint8Array(size);
  let at = putUvarint(bytes, putUvarint(bytes, 0, first), versions.length);
  previous = 0;
  for (const version of versions) {
    at = putUvarint(bytes, at, version - previous);
    previous = version;
  }
  return bytes;
}

export function decodeVersionList(cursor: ByteCursor): VersionList {
  const first = cursor.uvarint();
  const versions = new Array<number>(cursor.uvarint());
  let version = 0;
  for (let i = 0; i < versions.length; i++) {
    version += cursor.uvarint();
    versions[i] = version;
  }
  return { first, versions };
}

/** The ordinal of the last page whose lowest version is at or below `version`; `undefined` when there is none. */
export function pageHolding({ first, versions }: VersionList, version: number): number | undefined {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (versions[middle]! <= version) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : first + low - 1;
}

export function decodeVersionPage(bytes: Uint8Array): VersionList {
  return decodeVersionList(new ByteCursor(bytes));
}
