import type { BatchOperation, DbRange, KeyValueDb } from '../db/index.ts';
import { bytesToUint64, concatBytes, sha256, uint64ToBytes } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';

/** A block on its way into the database. */
export interface IndexedBlock {
  readonly height: number;
  readonly record: BlockRecord;
  readonly encoded: Uint8Array;
  /** SHA-256 of each raw ledger transaction. */
  readonly ledgerHashes: readonly Uint8Array[];
}

/** Where a transaction is: its block, and its index there (of the receipt, or of the ledger transaction). */
export interface Place {
  readonly height: number;
  readonly index: number;
}

/** The first height that history has or will have, and the last one that it has (`first − 1`: none). */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

/** The first byte of each kind of row. 0x06 and 0x07 are the log index's (index/sectionRows.ts). */
const PREFIX = { meta: 0x00, record: 0x01, hash: 0x02, evm: 0x03, ledger: 0x04 };

/** A filter for each block, as it was before there was a log index. */
export const OLD_FILTER_RANGE: DbRange = { start: Uint8Array.of(0x05), end: Uint8Array.of(0x06) };

const numberBytes = (value: number): Uint8Array => uint64ToBytes(BigInt(value));
const numberAt = (bytes: Uint8Array, offset: number): number =>
  Number(bytesToUint64(bytes.subarray(offset, offset + 8)));
const rowKey = (prefix: number, suffix: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(prefix), suffix);

const EXTENT_KEY = Uint8Array.of(PREFIX.meta);
/** The lowest height that is kept, apart from the extent: a prune and the writer never write the same row. */
const FLOOR_KEY = Uint8Array.of(PREFIX.meta, 0x01);
/** The lowest height whose receipts are kept, and the lowest block that still has some to be dropped. */
const RECEIPT_FLOOR_KEY = Uint8Array.of(PREFIX.meta, 0x03);
const RECEIPTS_DROPPED_KEY = Uint8Array.of(PREFIX.meta, 0x04);
export const recordKey = (height: number): Uint8Array => rowKey(PREFIX.record, numberBytes(height));
export const hashKey = (hash: Uint8Array): Uint8Array => rowKey(PREFIX.hash, hash);
export const evmKey = (hash: Uint8Array): Uint8Array => rowKey(PREFIX.evm, hash);
export const ledgerKey = (hash: Uint8Array): Uint8Array => rowKey(PREFIX.ledger, hash);

export const recordHeight = (key: Uint8Array): number => numberAt(key, 1);

const encodePlace = (height: number, index: number): Uint8Array =>
  concatBytes(numberBytes(height), numberBytes(index));
export const decodePlace = (bytes: Uint8Array): Place => ({
  height: numberAt(bytes, 0),
  index: numberAt(bytes, 8),
});

export const extentRow = ({ first, last }: Extent): BatchOperation => ({
  type: 'put',
  key: EXTENT_KEY,
  value: encodePlace(first, last),
});
export const floorRow = (floor: number): BatchOperation => ({
  type: 'put',
  key: FLOOR_KEY,
  value: numberBytes(floor),
});

const numberRow = (key: Uint8Array, height: number): BatchOperation => ({
  type: 'put',
  key,
  value: numberBytes(height),
});
export const receiptFloorRow = (height: number): BatchOperation => numberRow(RECEIPT_FLOOR_KEY, height);
/** Receipts below are dropped; written with what drops them. */
export const receiptsDroppedRow = (height: number): BatchOperation => numberRow(RECEIPTS_DROPPED_KEY, height);

/** 0 where receipts were never pruned apart from their blocks. */
export function readReceiptMarks(db: Pick<KeyValueDb, 'get'>): { floor: number; dropped: number } {
  const read = (key: Uint8Array): number => {
    const bytes = db.get(key);
    return bytes ? numberAt(bytes, 0) : 0;
  };
  return { floor: read(RECEIPT_FLOOR_KEY), dropped: read(RECEIPTS_DROPPED_KEY) };
}

/** What a database holds; `undefined` for a new one. */
export function readExtent(db: Pick<KeyValueDb, 'get'>): Extent | undefined {
  const bytes = db.get(EXTENT_KEY);
  if (!bytes) return undefined;
  const { height, index } = decodePlace(bytes);
  const floor = db.get(FLOOR_KEY);
  return { first: Math.max(height, floor ? numberAt(floor, 0) : 0), last: index };
}

export function indexBlock(record: BlockRecord, encoded: Uint8Array): IndexedBlock {
  const { header, txs } = record.block;
  return { height: header.height, record, encoded, ledgerHashes: txs.map(sha256) };
}

/** All rows of a block; rows of a transaction that an earlier block had too replace the earlier ones. */
export function blockRows({ height, record, encoded, ledgerHashes }: IndexedBlock): BatchOperation[] {
  const rows: BatchOperation[] = [
    { type: 'put', key: recordKey(height), value: encoded },
    { type: 'put', key: hashKey(record.block.id.hash), value: encodePlace(height, 0) },
  ];
  ledgerHashes.forEach((hash, index) => {
    rows.push({ type: 'put', key: ledgerKey(hash), value: encodePlace(height, index) });
  });
  record.receipts.forEach((receipt, index) => {
    rows.push({ type: 'put', key: evmKey(receipt.transactionHash), value: encodePlace(height, index) });
  });
  return rows;
}
