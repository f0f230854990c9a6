import { CodedError, type Turns } from '@chain/platform';
import type { KeyValueDb } from '../../db/index.ts';
import type { LogIndex } from '../index/logIndex.ts';
import type { RecentBlocks } from '../recentBlocks.ts';
import { scanLogs } from '../record/logScanner.ts';
import { type Extent, recordKey } from '../rows.ts';
import { patternItems } from './logItems.ts';
import type { LogMatch, LogQuery } from './logQuery.ts';

export interface LogSources {
  readonly db: KeyValueDb;
  readonly index: LogIndex;
  readonly recent: RecentBlocks;
  readonly turns: Turns;
  /** What history holds at this moment. */
  extent(): Extent;
}

/** Each read goes through a thread: many small records at once, few large ones. */
const [BLOCKS_PER_READ_MIN, MAX_BLOCKS_PER_READ] = [16, 256];
const BYTES_PER_READ = 2 << 20;
/** The event loop gets its turn after so long. */
const TURN_MS = 3;

/** The logs of a query in order. Throws HISTORY_PRUNED_MEANWHILE, and the reason of its signal. */
export async function searchLogs(query: LogQuery, sources: LogSources): Promise<LogMatch[]> {
  const { limit = Number.POSITIVE_INFINITY, signal } = query;
  const held = sources.extent();
  const range = {
    first: Math.max(query.fromHeight, held.first),
    last: Math.min(query.toHeight, held.last),
  };
  const found: LogMatch[] = [];
  if (range.first > range.last || limit === 0) return found;
  const share = sources.turns.share(TURN_MS);
  for await (const records of candidates(query, range, sources)) {
    signal?.throwIfAborted();
    for (const encoded of records) {
      scanLogs(encoded, query, found, limit);
      if (found.length >= limit) return found;
      if (share.isOver) await share.next();
    }
  }
  return found;
}

/** The records of the blocks that the index names, in groups; a group may be empty. */
async function* candidates(query: LogQuery, range: Extent, sources: LogSources) {
  let blocks = BLOCKS_PER_READ_MIN;
  for await (const heights of sources.index.heights(range, patternItems(query))) {
    // Also where nothing was found, so that a search of very many sections can be stopped.
    yield [];
    for (let at = 0; at < heights.length; ) {
      const records = await readRecords(heights.slice(at, at + blocks), sources);
      if (!isWhole(records)) throw goneMeanwhile(range, sources.extent());
      yield records;
      at += records.length;
      blocks = blocksPerRead(records);
    }
    // The index may have gone while it was read: better no answer than a part of one.
    const { first, last } = sources.extent();
    if (range.first < first || range.last > last) throw goneMeanwhile(range, { first, last });
  }
}

function isWhole(records: readonly (Uint8Array | undefined)[]): records is Uint8Array[] {
  return !records.includes(undefined);
}

/** As many as come to the wanted size when they are like these. */
function blocksPerRead(records: readonly Uint8Array[]): number {
  const bytes = records.reduce((sum, { length }) => sum + length, 0);
  const wanted = Math.floor((BYTES_PER_READ * records.length) / bytes);
  return Math.min(MAX_BLOCKS_PER_READ, Math.max(BLOCKS_PER_READ_MIN, wanted));
}

async function readRecords(
  heights: readonly number[],
  sources: LogSources,
): Promise<(Uint8Array | undefined)[]> {
  const records = heights.map((height) => sources.recent.byHeight(height)?.encoded);
  const missing = heights.filter((_, i) => records[i] === undefined);
  if (missing.length > 0) {
    const read = (await sources.db.getMany(missing.map(recordKey))).values();
    for (let i = 0; i < records.length; i++) records[i] ??= read.next().value;
  }
  return records;
}

function goneMeanwhile(asked: Extent, held: Extent): CodedError {
  return new CodedError(
    'HISTORY_PRUNED_MEANWHILE',
    `blocks ${asked.first} to ${asked.last} were cut while their logs were read; history now holds ${held.first} to ${held.last}: ask again`,
    { fields: { from: asked.first, to: asked.last, earliest: held.first, latest: held.last } },
  );
}
