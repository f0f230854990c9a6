import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchOperation, DbRange, KeyValueDb } from '../../db/index.ts';
import { bucketBits, bucketOf, encodeBucket, type MemorySection, SECTION_HEIGHTS } from './section.ts';

// Rows of a section: a mark, written last and synced, with the number of bucket bits; and its buckets that are not
// empty, each under section, bits and bucket. Without its mark a section is not there.

const MARK_PREFIX = 0x06;
const BUCKET_PREFIX = 0x07;
const ROWS_PER_BATCH = 512;
const PAIRS_PER_TURN = 1 << 16;

export function markKey(section: number): Uint8Array {
  const key = Buffer.alloc(5);
  key[0] = MARK_PREFIX;
  key.writeUInt32BE(section, 1);
  return key;
}

export function bucketKey(section: number, bits: number, bucket: number): Uint8Array {
  const key = Buffer.alloc(8);
  key[0] = BUCKET_PREFIX;
  key.writeUInt32BE(section, 1);
  key[5] = bits;
  key.writeUInt16BE(bucket, 6);
  return key;
}

/** The bucket bits of a section on disk; `undefined` when it is not there. */
export function readMark(db: KeyValueDb, section: number): number | undefined {
  return db.get(markKey(section))?.[0];
}

/** Writes a whole section, a piece each turn of the loop. It is there once this resolves, and outlives a power loss. */
export async function writeSection(db: KeyValueDb, memory: MemorySection): Promise<number> {
  const { section, pairs } = memory;
  const bits = bucketBits(pairs.length);
  const { sorted, ends } = await intoBuckets(pairs, bits);
  let rows: BatchOperation[] = [];
  for (let bucket = 0, start = 0; bucket < ends.length; start = ends[bucket++]!) {
    const inBucket = sorted.subarray(start, ends[bucket]).sort();
    if (inBucket.length === 0) continue;
    rows.push({ type: 'put', key: bucketKey(section, bits, bucket), value: encodeBucket(inBucket) });
    if (rows.length < ROWS_PER_BATCH) continue;
    await db.batch(rows);
    rows = [];
  }
  rows.push({ type: 'put', key: markKey(section), value: Uint8Array.of(bits) });
  await db.batch(rows, { sync: true });
  return bits;
}

/** The pairs by bucket, and where each bucket ends. */
async function intoBuckets(
  pairs: Float64Array,
  bits: number,
): Promise<{ sorted: Float64Array; ends: Uint32Array }> {
  const starts = new Uint32Array(1 << bits);
  const bucketAt = (i: number) => bucketOf(Math.floor(pairs[i]! / SECTION_HEIGHTS), bits);
  for (let i = 0; i < pairs.length; i++) {
    starts[bucketAt(i)]!++;
    if (i % PAIRS_PER_TURN === 0) await nextTurn();
  }
  let sum = 0;
  for (let bucket = 0; bucket < starts.length; bucket++) {
    const count = starts[bucket]!;
    starts[bucket] = sum;
    sum += count;
  }
  const sorted = new Float64Array(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    sorted[starts[bucketAt(i)]!++] = pairs[i]!;
    if (i % PAIRS_PER_TURN === 0) await nextTurn();
  }
  // Each start has moved to its bucket's end.
  return { sorted, ends: starts };
}

/** Removes a section: its mark first, so that half of one is never taken for a whole. */
export async function deleteSection(db: KeyValueDb, section: number): Promise<void> {
  await db.batch([{ type: 'del', key: markKey(section) }], { sync: true });
  await deleteRange(db, { start: bucketKey(section, 0, 0), end: bucketKey(section + 1, 0, 0) });
}

export async function deleteRange(db: KeyValueDb, range: DbRange): Promise<void> {
  let rows: BatchOperation[] = [];
  for await (const [key] of db.iterate(range)) {
    if (rows.push({ type: 'del', key }) < ROWS_PER_BATCH) continue;
    await db.batch(rows);
    rows = [];
  }
  if (rows.length > 0) await db.batch(rows);
}
