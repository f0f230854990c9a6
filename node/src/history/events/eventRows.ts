import type { BatchOperation, DbRange } from '../../db/index.ts';
import { bytesToUint64, sha256, uint64ToBytes, utf8 } from '../../primitives/index.ts';
import type { BlockRecord, LedgerEvent } from '../../types/index.ts';

// A row for each block and each attribute that one of its transactions has: the item and the height give the
// indexes of those transactions. An item is a tag with one value, or a tag with any.

const PREFIX = 0x08;
const ITEM_BYTES = 16;
const KEY_BYTES = 1 + ITEM_BYTES + 8;

/** `tag` is `<event type>.<attribute key>`; without a value every transaction with the tag is meant. */
export interface EventItem {
  readonly tag: string;
  readonly value?: string;
}

/** The item that every transaction has. */
export const EVERY_TRANSACTION: EventItem = { tag: 'tx.height' };

/** The same of a block's own events; its only place is 0. */
export const ofBlockItem = ({ tag, ...value }: EventItem): EventItem => ({ tag: `block/${tag}`, ...value });

/** The range of an item's rows between two heights, both included. */
export function eventRange(item: EventItem, first: number, last: number): DbRange {
  const digest = itemDigest(item);
  return { start: eventKey(digest, first), end: eventKey(digest, last + 1) };
}

export function heightOfEventRow(key: Uint8Array): number {
  return Number(bytesToUint64(key.subarray(KEY_BYTES - 8)));
}

export function transactionsOfEventRow(value: Uint8Array): number[] {
  const words = Buffer.from(value.buffer, value.byteOffset, value.length);
  return Array.from({ length: value.length / 4 }, (_, i) => words.readUInt32BE(i * 4));
}

/** Only attributes that are marked for the index count. */
export function eventRows(record: BlockRecord): BatchOperation[] {
  const { height } = record.block.header;
  return [...placesOf(record).values()].map(({ item, indexes }) => {
    const value = Buffer.alloc(indexes.length * 4);
    for (const [i, index] of indexes.entries()) value.writeUInt32BE(index, i * 4);
    return { type: 'put', key: eventKey(itemDigest(item), height), value };
  });
}

/** The transactions of a block that have an item; 0 for its own events. */
export function transactionsWith(record: BlockRecord, item: EventItem): readonly number[] {
  return placesOf(record).get(nameOf(item))?.indexes ?? [];
}

interface ItemPlaces {
  readonly item: EventItem;
  readonly indexes: number[];
}

function placesOf({ results, events: ofBlock }: BlockRecord): Map<string, ItemPlaces> {
  const places = new Map<string, ItemPlaces>();
  const add = (item: EventItem, index: number): void => {
    const name = nameOf(item);
    const held = places.get(name);
    if (!held) places.set(name, { item, indexes: [index] });
    else if (held.indexes.at(-1) !== index) held.indexes.push(index);
  };
  results.forEach(({ events }, index) => {
    add(EVERY_TRANSACTION, index);
    for (const item of itemsOf(events)) add(item, index);
  });
  for (const item of itemsOf(ofBlock)) add(ofBlockItem(item), 0);
  return places;
}

function* itemsOf(events: readonly LedgerEvent[]): Iterable<EventItem> {
  for (const { type, attributes } of events) {
    for (const { key, value, index } of attributes) {
      if (!index || type === '' || key === '') continue;
      const tag = `${type}.${key}`;
      yield { tag };
      yield { tag, value };
    }
  }
}

function nameOf({ tag, value }: EventItem): string {
  return value === undefined ? tag : `${tag}\0${value}`;
}

/** Cut to what no chance and no affordable effort brings together. */
function itemDigest(item: EventItem): Uint8Array {
  return sha256(utf8(nameOf(item))).subarray(0, ITEM_BYTES);
}

function eventKey(digest: Uint8Array, height: number): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  key[0] = PREFIX;
  key.set(digest, 1);
  key.set(uint64ToBytes(BigInt(height)), 1 + ITEM_BYTES);
  return key;
}
