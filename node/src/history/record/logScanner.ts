import { SYNTHETIC_TYPE } from '../../types/index.ts';
import { EncodedLog } from '../logs/encodedLog.ts';
import { itemOf } from '../logs/logItems.ts';
import type { LogMatch, LogPattern } from '../logs/logQuery.ts';
import { ByteReader } from './byteReader.ts';
import { RECORD_FORMATS } from './encodeRecord.ts';

// Reads the logs out of an encoded block record and steps over all else: some ten times faster than decoding it.
// Members are stepped over in the order in which encodeRecord writes them.

/** The distinct items of a block's logs. Throws HISTORY_RECORD_INVALID. */
export function itemsOfRecord(encoded: Uint8Array): Set<number> {
  const items = new Set<number>();
  const reader = new ByteReader(encoded);
  toReceipts(reader);
  for (let receipts = reader.count(); receipts > 0; receipts--) {
    reader.skipBytes();
    toLogs(reader);
    for (let logs = reader.count(); logs > 0; logs--) {
      const address = reader.skipBytes();
      items.add(itemOf(encoded, address, reader.offset, 0));
      const topics = reader.count();
      for (let i = 1; i <= topics; i++) items.add(itemOf(encoded, reader.skipBytes(), reader.offset, i));
      reader.skipBytes();
    }
  }
  return items;
}

/** Appends the matching logs of a record to `found` until that holds `limit`; they keep the record's bytes. */
export function scanLogs(encoded: Uint8Array, pattern: LogPattern, found: LogMatch[], limit: number): void {
  const reader = new ByteReader(encoded);
  const block = toReceipts(reader);
  let transactionIndex = 0;
  let logIndex = 0;
  for (let receipts = reader.count(); receipts > 0; receipts--) {
    const place = { ...block, transactionHash: reader.bytes(), transactionIndex };
    const isListed = toLogs(reader) !== SYNTHETIC_TYPE || pattern.includeSynthetic === true;
    const logs = reader.count();
    for (let i = 0; i < logs; i++) {
      const start = reader.offset;
      if (!stepOverLog(reader, pattern) || !isListed) continue;
      if (found.length >= limit) return;
      found.push(new EncodedLog(reader, start, place, logIndex + i));
    }
    if (!isListed) continue;
    logIndex += logs;
    transactionIndex++;
  }
}

/** Tells whether the log fits. */
function stepOverLog(reader: ByteReader, { addresses, topics }: LogPattern): boolean {
  let isMatch = isOneOf(reader, reader.skipBytes(), addresses);
  const count = reader.count();
  if (topics && count < topics.length) isMatch = false;
  for (let i = 0; i < count; i++) {
    const start = reader.skipBytes();
    isMatch &&= isOneOf(reader, start, topics?.[i]);
  }
  reader.skipBytes();
  return isMatch;
}

/** Whether what was read since `start` is among the alternatives; none are any. */
function isOneOf(
  reader: ByteReader,
  start: number,
  alternatives: readonly Uint8Array[] | null | undefined,
): boolean {
  if (!alternatives?.length) return true;
  for (const alternative of alternatives) if (reader.readSince(start, alternative)) return true;
  return false;
}

/** From the start of a record to the count of its receipts. */
function toReceipts(reader: ByteReader): Pick<LogMatch, 'blockHash' | 'blockNumber' | 'blockSeconds'> {
  if (!RECORD_FORMATS.includes(reader.count())) reader.fail();
  const blockHash = reader.bytes();
  reader.count();
  reader.skipBytes();
  reader.skipInteger().skipInteger().skipBytes();
  const blockNumber = reader.count();
  const blockSeconds = reader.integer();
  reader.count();
  reader.skipBytes();
  reader.count();
  reader.skipBytes();
  for (let hashes = 9; hashes > 0; hashes--) reader.skipBytes();
  for (let txs = reader.count(); txs > 0; txs--) reader.skipBytes();
  reader.skipBytes();
  reader.count();
  reader.skipInteger().skipInteger().skipInteger();
  for (let results = reader.count(); results > 0; results--) stepOverResult(reader);
  return { blockHash, blockNumber, blockSeconds };
}

function stepOverResult(reader: ByteReader): void {
  reader.count();
  for (let texts = 3; texts > 0; texts--) reader.skipBytes();
  reader.skipInteger().skipInteger();
  for (let events = reader.count(); events > 0; events--) {
    reader.skipBytes();
    for (let attributes = reader.count(); attributes > 0; attributes--) {
      reader.skipBytes();
      reader.skipBytes();
      reader.count();
    }
  }
}

/** From behind a receipt's transaction hash to the count of its logs; gives the receipt's type. */
function toLogs(reader: ByteReader): number {
  reader.count();
  reader.count();
  reader.count();
  const type = reader.count();
  reader.skipBytes();
  reader.skipOptionalBytes().skipOptionalBytes();
  reader.count();
  reader.skipInteger().skipInteger().skipInteger().count();
  reader.skipBytes();
  reader.skipBytes();
  return type;
}
