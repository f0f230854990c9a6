import { putUvarint, uvarintLength } from '../../primitives/index.ts';
import { ByteCursor, putVersion, VERSION_BYTES, versionAt } from './byteCursor.ts';

// head  = flags ‖ newest version (6) ‖ uvarint length ‖ value ‖ uvarint length ‖ spine ‖ tail
// page  = version that the first difference counts from (6) ‖ tail
// tail  = entries, newest first: uvarint (next newer version − own version) ‖ uvarint (length·4 + kind) ‖ value
// So a write copies the old bytes behind one new entry, and a full tail becomes a page as it is.
const LIVE = 1;
const DELETED = 0;
const INLINE = 1;
const OUTSIDE = 2;

/** Offsets into the bytes of a head. */
export interface Head {
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly live: boolean;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly spineStart: number;
  readonly tailStart: number;
}

/** An older version: deleted, with its value here, or with its value in a row of its own. */
export interface Entry {
  readonly version: number;
  readonly value: Uint8Array | null | 'outside';
}

export function parseHead(bytes: Uint8Array): Head {
  const cursor = new ByteCursor(bytes, 1 + VERSION_BYTES);
  const valueLength = cursor.uvarint();
  const valueStart = cursor.offset;
  cursor.offset = valueStart + valueLength;
  const spineLength = cursor.uvarint();
  return {
    bytes,
    version: versionAt(bytes, 1),
    live: bytes[0] === LIVE,
    valueStart,
    valueEnd: valueStart + valueLength,
    spineStart: cursor.offset,
    tailStart: cursor.offset + spineLength,
  };
}

/** A view without Buffer's extras, so that callers see the same kind of bytes from every layer. */
export function view(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
}

export function newestValue(head: Head): Uint8Array | undefined {
  return head.live ? view(head.bytes, head.valueStart, head.valueEnd) : undefined;
}

export function tailOf(head: Head): Uint8Array {
  return view(head.bytes, head.tailStart, head.bytes.length);
}

export interface HeadParts {
  readonly version: number;
  readonly value: Uint8Array | null;
  readonly spine: Uint8Array;
  /** Either part may be empty; they are joined. */
  readonly tail: readonly [entry: Uint8Array, older: Uint8Array];
}

export function encodeHead({ version, value, spine, tail }: HeadParts): Uint8Array {
  const valueLength = value?.length ?? 0;
  const fixed = 1 + VERSION_BYTES + uvarintLength(valueLength) + uvarintLength(spine.length);
  const bytes = Buffer.allocUnsafe(fixed + valueLength + spine.length + tail[0].length + tail[1].length);
  bytes[0] = value === null ? DELETED : LIVE;
  let at = putUvarint(bytes, putVersion(bytes, 1, version), valueLength);
  if (value !== null) bytes.set(value, at);
  at = putUvarint(bytes, at + valueLength, spine.length);
  for (const part of [spine, ...tail]) {
    if (part.length > 0) bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Bytes of the head of a key that has one version only, with a value of so many bytes. */
export function firstHeadLength(valueLength: number): number {
  return 1 + VERSION_BYTES + uvarintLength(valueLength) + valueLength + 1;
}

/** Writes such a head but for the value's bytes; gives where those belong. */
export function putFirstHead(bytes: Uint8Array, version: number, valueLength: number): number {
  bytes[0] = LIVE;
  // No spine.
  bytes[firstHeadLength(valueLength) - 1] = 0;
  return putUvarint(bytes, putVersion(bytes, 1, version), valueLength);
}

/** The entry that a newest version becomes when a newer one takes its place. */
export function encodeEntry(head: Head, newerVersion: number, outside: boolean): Uint8Array {
  const length = head.live && !outside ? head.valueEnd - head.valueStart : 0;
  const kind = !head.live ? DELETED : outside ? OUTSIDE : INLINE;
  const difference = newerVersion - head.version;
  const meta = length * 4 + kind;
  const bytes = Buffer.allocUnsafe(uvarintLength(difference) + uvarintLength(meta) + length);
  const at = putUvarint(bytes, putUvarint(bytes, 0, difference), meta);
  if (length > 0) bytes.set(view(head.bytes, head.valueStart, head.valueEnd), at);
  return bytes;
}

/** The newest entry of a tail at or below `version`; `newerVersion` is what its first difference counts from. */
export function findInTail(tail: Uint8Array, newerVersion: number, version: number): Entry | undefined {
  const cursor = new ByteCursor(tail);
  let own = newerVersion;
  while (cursor.offset < tail.length) {
    own -= cursor.uvarint();
    const meta = cursor.uvarint();
    const start = cursor.offset;
    cursor.offset += Math.floor(meta / 4);
    if (own > version) continue;
    const kind = meta % 4;
    if (kind === INLINE) return { version: own, value: view(tail, start, cursor.offset) };
    return { version: own, value: kind === OUTSIDE ? 'outside' : null };
  }
  return undefined;
}

/** Where an entry of a tail lies in it, and what it is. */
export interface TailEntry {
  readonly version: number;
  readonly live: boolean;
  /** The value is in a row of its own. */
  readonly outside: boolean;
  readonly valueStart: number;
  /** Behind the value; the next older entry begins here. */
  readonly end: number;
}

/** Newest first; `newerVersion` is what the first difference counts from. */
export function* tailEntries(tail: Uint8Array, newerVersion: number): Iterable<TailEntry> {
  const cursor = new ByteCursor(tail);
  let version = newerVersion;
  while (cursor.offset < tail.length) {
    version -= cursor.uvarint();
    const meta = cursor.uvarint();
    const valueStart = cursor.offset;
    cursor.offset += Math.floor(meta / 4);
    const kind = meta % 4;
    yield { version, live: kind !== DELETED, outside: kind === OUTSIDE, valueStart, end: cursor.offset };
  }
}

export function lowestInTail(tail: Uint8Array, newerVersion: number): number {
  const cursor = new ByteCursor(tail);
  let own = newerVersion;
  while (cursor.offset < tail.length) {
    own -= cursor.uvarint();
    const meta = cursor.uvarint();
    cursor.offset += Math.floor(meta / 4);
  }
  return own;
}

export function encodePage(newerVersion: number, tail: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(VERSION_BYTES + tail.length);
  putVersion(bytes, 0, newerVersion);
  bytes.set(tail, VERSION_BYTES);
  return bytes;
}

/** The parts of a page: what its first difference counts from, and its entries. */
export function parsePage(page: Uint8Array): { readonly newerVersion: number; readonly tail: Uint8Array } {
  return { newerVersion: versionAt(page, 0), tail: view(page, VERSION_BYTES, page.length) };
}

export function findInPage(page: Uint8Array, version: number): Entry | undefined {
  const { newerVersion, tail } = parsePage(page);
  return findInTail(tail, newerVersion, version);
}
