import { CodedError } from '@chain/platform';
import type { BatchOperation } from '../../db/index.ts';
import {
  type Entry,
  encodeEntry,
  encodeHead,
  encodePage,
  findInPage,
  findInTail,
  lowestInTail,
  newestValue,
  parseHead,
  tailOf,
  view,
} from './headRecord.ts';
import { pageRow, valueRow } from './rowKey.ts';
import { decodeSpine, encodeSpine, pushLeaf, type Spine } from './spine.ts';
import { decodeVersionPage, pageHolding } from './versionList.ts';

/** Where a key's history lives and how much of it stays in its head (docs/decisions/0001). */
export interface HistoryLayout {
  /** Bytes of older versions kept in the head. */
  readonly tailBytes: number;
  /** A longer value gets a row of its own when it is no longer the newest. */
  readonly inlineBytes: number;
}
const LAYOUT: HistoryLayout = { tailBytes: 512, inlineBytes: 96 };

const NOTHING = new Uint8Array(0);
export type ReadRow = (row: Uint8Array) => Uint8Array | undefined;

/** What a key holds at `version`: a few exact reads, whatever the number of its versions. */
export function valueAt(
  bytes: Uint8Array,
  row: Uint8Array,
  version: number,
  read: ReadRow,
): Uint8Array | undefined {
  const head = parseHead(bytes);
  if (head.version <= version) return newestValue(head);
  const entry =
    findInTail(tailOf(head), head.version, version) ??
    findInPages(decodeSpine(view(bytes, head.spineStart, head.tailStart)), row, version, read);
  if (entry === undefined || entry.value === null) return undefined;
  return entry.value === 'outside' ? need(read, valueRow(row, entry.version)) : entry.value;
}

function findInPages(spine: Spine, row: Uint8Array, version: number, read: ReadRow): Entry | undefined {
  for (let level = 0; level < spine.length; level++) {
    let ordinal = pageHolding(spine[level]!, version);
    if (ordinal === undefined) continue;
    for (let below = level; below > 0; below--) {
      ordinal = pageHolding(decodeVersionPage(need(read, pageRow(row, below, ordinal))), version);
      if (ordinal === undefined) return undefined;
    }
    return findInPage(need(read, pageRow(row, 0, ordinal)), version);
  }
  return undefined;
}

/** Throws STORE_CORRUPT. */
export function need(read: ReadRow, row: Uint8Array): Uint8Array {
  const bytes = read(row);
  if (bytes !== undefined) return bytes;
  throw new CodedError(
    'STORE_CORRUPT',
    `state store lacks row ${Buffer.from(row).toString('hex')} that a key's head names; state sync again`,
    { fields: { row: Buffer.from(row).toString('hex') } },
  );
}

/** One write to a key. */
export interface KeyWrite {
  readonly row: Uint8Array;
  readonly version: number;
  /** `null` deletes. */
  readonly value: Uint8Array | null;
}

/**
 * The head of a key after a write, or `undefined` when the write changes nothing; pages and values that leave
 * the head are added to `operations`. Throws STORE_VERSION_ORDER.
 */
export function extendHistory(
  bytes: Uint8Array | undefined,
  write: KeyWrite,
  operations: BatchOperation[],
  layout: HistoryLayout = LAYOUT,
): Uint8Array | undefined {
  const { row, version, value } = write;
  if (bytes === undefined) {
    return value === null
      ? undefined
      : encodeHead({ version, value, spine: NOTHING, tail: [NOTHING, NOTHING] });
  }
  const head = parseHead(bytes);
  if (version <= head.version) throw outOfOrder(version, head.version);
  if (value === null && !head.live) return undefined;
  const length = head.valueEnd - head.valueStart;
  const outside = head.live && length > layout.inlineBytes;
  if (outside) {
    const old = view(bytes, head.valueStart, head.valueEnd);
    operations.push({ type: 'put', key: valueRow(row, head.version), value: old });
  }
  const entry = encodeEntry(head, version, outside);
  const tail = tailOf(head);
  const spine = view(bytes, head.spineStart, head.tailStart);
  if (tail.length === 0 || tail.length + entry.length <= layout.tailBytes) {
    return encodeHead({ version, value, spine, tail: [entry, tail] });
  }
  const lowest = lowestInTail(tail, head.version);
  const pushed = pushLeaf(decodeSpine(spine), lowest);
  const leaf = { level: 0, ordinal: pushed.ordinal, bytes: encodePage(head.version, tail) };
  for (const page of [leaf, ...pushed.full]) {
    operations.push({ type: 'put', key: pageRow(row, page.level, page.ordinal), value: page.bytes });
  }
  return encodeHead({ version, value, spine: encodeSpine(pushed.spine), tail: [entry, NOTHING] });
}

function outOfOrder(version: number, newest: number): CodedError {
  return new CodedError(
    'STORE_VERSION_ORDER',
    `state store was given version ${version} of a key whose newest version is ${newest}; restart the node`,
    { fields: { version, newest } },
  );
}
