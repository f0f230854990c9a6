import { CodedError } from '@chain/platform';
import { uvarintLength } from '../../primitives/index.ts';
import type { BlockChanges, KeyChange, StoreChanges } from '../../types/index.ts';
import { ProtoReader } from './protoReader.ts';
import { ProtoWriter } from './protoWriter.ts';

/** One block: its change set, and its block record as opaque bytes (possibly empty). */
export interface ChangelogEntry {
  readonly changes: BlockChanges;
  readonly record: Uint8Array;
}

/** One byte of tag, the length, the bytes. */
const fieldLength = (length: number): number => 1 + uvarintLength(length) + length;
/** Field 100, length-delimited: outside the numbers that the reference's schema may come to use. */
const RECORD_TAG = (100 << 3) | 2;

/**
 * The protobuf `ChangelogEntry` of spec S-8 with the block record in field 100. The `delete` flag decides
 * what is a delete; an empty value is not written and reads back as an empty value.
 */
export function encodeEntry({ changes, record }: ChangelogEntry): Uint8Array {
  const sizes = changes.stores.map(storeSizes);
  const writer = new ProtoWriter(
    1 +
      uvarintLength(changes.version) +
      sizes.reduce((sum, { named }) => sum + fieldLength(named), 0) +
      (record.length === 0 ? 0 : 1 + fieldLength(record.length)),
  );
  writer.uvarint(0x08).uvarint(changes.version);
  changes.stores.forEach((store, i) => {
    const { pairs, named } = sizes[i]!;
    writer.uvarint(0x12).uvarint(named).uvarint(0x0a).uvarint(pairs);
    for (const change of store.changes) writePair(writer, change);
    writer.uvarint(0x12).text(store.store);
  });
  if (record.length > 0) writer.uvarint(RECORD_TAG).bytes(record);
  return writer.finish();
}

function storeSizes({ store, changes }: StoreChanges): { pairs: number; named: number } {
  let pairs = 0;
  for (const change of changes) pairs += fieldLength(pairLength(change));
  return { pairs, named: fieldLength(pairs) + fieldLength(Buffer.byteLength(store)) };
}

function pairLength({ key, value }: KeyChange): number {
  const rest = value === null ? 2 : value.length === 0 ? 0 : fieldLength(value.length);
  return fieldLength(key.length) + rest;
}

function writePair(writer: ProtoWriter, change: KeyChange): void {
  writer.uvarint(0x0a).uvarint(pairLength(change));
  if (change.value === null) writer.uvarint(0x08).uvarint(1);
  writer.uvarint(0x12).bytes(change.key);
  if (change.value !== null && change.value.length > 0) writer.uvarint(0x1a).bytes(change.value);
}

/**
 * Keys, values and record are views into `payload`; unknown fields (the reference's store upgrades) are passed
 * over. Throws CHANGELOG_ENTRY_INVALID.
 */
export function decodeEntry(payload: Uint8Array): ChangelogEntry {
  const reader = new ProtoReader(payload);
  const stores: StoreChanges[] = [];
  let version = 0;
  let record = new Uint8Array(0);
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === 0x08) version = reader.uvarint();
    else if (tag === 0x12) stores.push(decodeStore(reader.message()));
    else if (tag === RECORD_TAG) record = reader.bytes();
    else reader.skip(tag);
  }
  if (version === 0) {
    throw new CodedError(
      'CHANGELOG_ENTRY_INVALID',
      'a changelog entry has no version; the log is not usable',
    );
  }
  return { changes: { version, stores }, record };
}

function decodeStore(reader: ProtoReader): StoreChanges {
  const changes: KeyChange[] = [];
  let store = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === 0x0a) decodePairs(reader.message(), changes);
    else if (tag === 0x12) store = reader.text();
    else reader.skip(tag);
  }
  return { store, changes };
}

function decodePairs(reader: ProtoReader, into: KeyChange[]): void {
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === 0x0a) into.push(decodePair(reader.message()));
    else reader.skip(tag);
  }
}

function decodePair(reader: ProtoReader): KeyChange {
  let key = new Uint8Array(0);
  let value = new Uint8Array(0);
  let deleted = false;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === 0x08) deleted = reader.uvarint() !== 0;
    else if (tag === 0x12) key = reader.bytes();
    else if (tag === 0x1a) value = reader.bytes();
    else reader.skip(tag);
  }
  return { key, value: deleted ? null : value };
}
