import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@chain/platform';
import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { appendAll } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { decodeBlockRecord } from '../record/decodeRecord.ts';
import { type Extent, recordKey } from '../rows.ts';
import {
  type EventItem,
  eventRange,
  eventRows,
  heightOfEventRow,
  transactionsOfEventRow,
  transactionsWith,
} from './eventRows.ts';

/** Indexes of transactions, by the height of their block. */
export type EventPlaces = ReadonlyMap<number, readonly number[]>;

/** Says that every block of the database has its event rows. */
const COMPLETE_KEY = Uint8Array.of(0x00, 0x02);
const PROGRESS_MS = 5_000;
const ROWS_PER_BATCH = 4096;

/** The transactions of an extent that have an item, at most `max` of them; `undefined` when there are more. */
export async function findEvent(
  item: EventItem,
  { first, last, max }: Extent & { readonly max: number },
  { db, recent }: { readonly db: KeyValueDb; readonly recent: readonly BlockRecord[] },
): Promise<EventPlaces | undefined> {
  const places = new Map<number, readonly number[]>();
  let count = 0;
  for await (const [key, value] of db.iterate(eventRange(item, first, last))) {
    const indexes = transactionsOfEventRow(value);
    places.set(heightOfEventRow(key), indexes);
    count += indexes.length;
    if (count > max) return undefined;
  }
  for (const record of recent) {
    const { height } = record.block.header;
    const indexes = transactionsWith(record, item);
    if (height >= first && height <= last && indexes.length > 0) places.set(height, indexes);
  }
  return places;
}

/**
 * Makes the rows of every block unless they are there, as in a home of an older release, or one that ran without
 * the index. Tells how far it is when that takes long.
 */
export async function completeEvents(
  { first, last }: Extent,
  { db, logger }: { readonly db: KeyValueDb; readonly logger: Logger },
): Promise<void> {
  if (db.has(COMPLETE_KEY)) return;
  let told = performance.now();
  let rows: BatchOperation[] = [];
  let height = first;
  for await (const [, encoded] of db.iterate({ start: recordKey(first), end: recordKey(last + 1) })) {
    appendAll(rows, eventRows(decodeBlockRecord(encoded)));
    height++;
    if (rows.length < ROWS_PER_BATCH) continue;
    await db.batch(rows);
    rows = [];
    await nextTurn();
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    logger.info('Indexing the events of older blocks', { block: height - 1, of: last });
  }
  await db.batch([...rows, { type: 'put', key: COMPLETE_KEY, value: new Uint8Array(0) }], { sync: true });
}

/** For a home that writes no event rows from now on. */
export async function forgetEvents(db: KeyValueDb): Promise<void> {
  if (db.has(COMPLETE_KEY)) await db.batch([{ type: 'del', key: COMPLETE_KEY }], { sync: true });
}
