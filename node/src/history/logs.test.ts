import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Logger, silentLogger } from '@chain/platform';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLevelDb } from '../db/index.ts';
import { type BlockRecord, SYNTHETIC_TYPE } from '../types/index.ts';
import type { History } from './history.ts';
import { SECTION_HEIGHTS } from './index/section.ts';
import { bucketKey, deleteRange, markKey } from './index/sectionRows.ts';
import { bytesOfLog } from './logs/encodedLog.ts';
import { type LogMatch, type LogQuery, matchingLogs } from './logs/logQuery.ts';
import { openHistory } from './openHistory.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { scanLogs } from './record/logScanner.ts';
import {
  ADDRESSES,
  blockLogsArbitrary,
  recordArbitrary,
  recordAt,
  TOPICS,
  word,
} from './recordArbitrary.fixture.ts';
import { OLD_FILTER_RANGE } from './rows.ts';

const NO_CHANGELOG = { firstVersion: 0, lastVersion: 0, read: () => [] };
const ALL = { fromHeight: 0, toHeight: 1_000_000 };

let home = '';
let opened: History | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'history-logs-'));
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  rmSync(home, { recursive: true });
});

async function open(options: { initialHeight?: number; cacheBytes?: number; logger?: Logger } = {}) {
  await opened?.close();
  opened = undefined;
  const { logger = silentLogger, ...rest } = options;
  opened = await openHistory(
    { directory: join(home, 'history'), ...rest },
    { changelog: NO_CHANGELOG, logger },
  );
  return opened;
}

/** A log whose parts are read now. */
function plain(log: LogMatch): LogMatch {
  const { address, topics, data, blockNumber, blockHash, blockSeconds } = log;
  const { transactionHash, transactionIndex, logIndex } = log;
  const { record, start } = bytesOfLog(log);
  const own = bytesOfLog({ ...log, address, topics, data }).record;
  expect(Buffer.from(record.subarray(start, start + own.length))).toEqual(Buffer.from(own));
  const place = { blockNumber, blockHash, blockSeconds, transactionHash, transactionIndex, logIndex };
  return { address, topics, data, ...place };
}

const heightsOf = (matches: readonly LogMatch[]) => matches.map(({ blockNumber }) => blockNumber);
const withLog = (address: Uint8Array, topics: Uint8Array[] = []) => [
  { logs: [{ address, topics, data: word(3, 3) }], synthetic: false },
];

describe('logs of one block', () => {
  it('are the same in its encoded form', () => {
    const patterns = fc.record({
      addresses: fc.array(fc.constantFrom(...ADDRESSES, word(19, 1)), { maxLength: 2 }),
      topics: fc.array(fc.option(fc.array(fc.constantFrom(...TOPICS, word(31, 1)), { maxLength: 2 })), {
        maxLength: 4,
      }),
      includeSynthetic: fc.boolean(),
    });
    fc.assert(
      fc.property(recordArbitrary, patterns, fc.nat(6), (record, pattern, limit) => {
        const expected = [...matchingLogs(record, pattern)];
        const found: LogMatch[] = [];
        scanLogs(encodeBlockRecord(record), pattern, found, limit);
        expect(found.map(plain)).toEqual(expected.slice(0, limit));
      }),
      { numRuns: 300 },
    );
  });
});

describe('logs', () => {
  const query = fc.record(
    {
      fromHeight: fc.nat(8),
      toHeight: fc.nat(12),
      addresses: fc.array(fc.constantFrom(...ADDRESSES, word(20, 9)), { maxLength: 2 }),
      topics: fc.array(fc.option(fc.array(fc.constantFrom(...TOPICS), { maxLength: 2 })), { maxLength: 4 }),
      limit: fc.nat(8),
      includeSynthetic: fc.boolean(),
    },
    { requiredKeys: ['fromHeight', 'toHeight'] },
  );

  /** The rule of eth_getLogs, spelled out over everything there is. */
  function naive(records: readonly BlockRecord[], asked: LogQuery): unknown[] {
    const has = (list: readonly Uint8Array[], item: Uint8Array) =>
      list.some((one) => Buffer.compare(one, item) === 0);
    const all: unknown[] = [];
    for (const { block, receipts } of records) {
      const { height } = block.header;
      if (height < asked.fromHeight || height > asked.toHeight) continue;
      let logIndex = 0;
      const listed = receipts.filter(({ type }) => asked.includeSynthetic || type !== SYNTHETIC_TYPE);
      listed.forEach((receipt, transactionIndex) => {
        for (const one of receipt.logs) {
          const topics = asked.topics ?? [];
          const fits =
            (!asked.addresses?.length || has(asked.addresses, one.address)) &&
            one.topics.length >= topics.length &&
            topics.every((options, at) => !options?.length || has(options, one.topics[at]!));
          if (fits) all.push([height, transactionIndex, logIndex]);
          logIndex++;
        }
      });
    }
    return all.slice(0, asked.limit ?? all.length);
  }

  it('finds what a scan of everything finds, from memory, from disk and over sections', async () => {
    const blocks = fc.sample(blockLogsArbitrary, { numRuns: 10, seed: 42 });
    // The blocks with logs lie across the end of a section.
    const begin = SECTION_HEIGHTS - 5;
    const records = blocks.map((receipts, i) => recordAt(begin + i, receipts));
    let history = await open({ initialHeight: begin });
    for (const record of records) await history.append(record);
    const check = () =>
      fc.assert(
        fc.asyncProperty(query, async (asked) => {
          const { fromHeight, toHeight } = asked;
          const moved = { ...asked, fromHeight: fromHeight + begin - 1, toHeight: toHeight + begin - 1 };
          const found = await history.logs(moved as LogQuery);
          expect(found.map((log) => [log.blockNumber, log.transactionIndex, log.logIndex])).toEqual(
            naive(records, moved as LogQuery),
          );
        }),
        { numRuns: 300 },
      );
    await check();
    history = await open({ cacheBytes: 3000 });
    await check();
  });

  it('finds a rare address among many blocks with logs, in every section', async () => {
    let history = await open();
    for (let height = 1; height <= 3000; height++) {
      const address = height % 500 === 0 ? ADDRESSES[1]! : ADDRESSES[0]!;
      void history.append(recordAt(height, withLog(address, [TOPICS[height % 2]!])));
    }
    for (const options of [{}, { cacheBytes: 0 }]) {
      history = await open(options);
      const found = await history.logs({ ...ALL, addresses: [ADDRESSES[1]!] });
      expect(heightsOf(found)).toEqual([500, 1000, 1500, 2000, 2500, 3000]);
      expect(await history.logs({ ...ALL, addresses: [ADDRESSES[1]!], topics: [[TOPICS[1]!]] })).toEqual([]);
      expect(await history.logs({ ...ALL, limit: 2500 })).toHaveLength(2500);
    }
  });

  it('lets the event loop run, and stops when it is told to', async () => {
    const history = await open();
    for (let height = 1; height <= 3000; height++)
      void history.append(recordAt(height, withLog(ADDRESSES[0]!)));
    await history.flush();
    const stop = new AbortController();
    const search = history.logs({ ...ALL, signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(search).rejects.toThrowError('enough');
  });
});

describe('the log index', () => {
  async function grow(last: number): Promise<History> {
    const history = await open();
    for (let height = history.latestHeight + 1; height <= last; height++) {
      void history.append(recordAt(height, height % 100 === 0 ? withLog(ADDRESSES[2]!) : []));
    }
    await history.flush();
    return history;
  }
  const hundreds = (last: number) => Array.from({ length: Math.floor(last / 100) }, (_, i) => (i + 1) * 100);
  const found = async (history: History) =>
    heightsOf(await history.logs({ ...ALL, addresses: [ADDRESSES[2]!] }));
  const withDb = async (work: (db: Awaited<ReturnType<typeof openLevelDb>>) => Promise<void>) => {
    await opened?.close();
    opened = undefined;
    const db = await openLevelDb({ directory: join(home, 'history') });
    await work(db);
    await db.close();
  };

  it('is made at the start for a home of an older release, whose filters go', async () => {
    await grow(2500);
    await withDb(async (db) => {
      await deleteRange(db, { start: markKey(0), end: Uint8Array.of(8) });
      const filter = {
        type: 'put',
        key: Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0, 9),
        value: word(8, 1),
      } as const;
      await db.batch([filter]);
    });
    expect(await found(await open())).toEqual(hundreds(2500));
    await withDb(async (db) => {
      expect([db.has(markKey(0)), db.has(markKey(1)), db.has(markKey(2))]).toEqual([true, true, false]);
      for await (const [key] of db.iterate(OLD_FILTER_RANGE)) expect(key).toBeUndefined();
    });
    expect(await found(await open())).toEqual(hundreds(2500));
  });

  it('is made again where a section was written half', async () => {
    await grow(2500);
    await withDb(async (db) => {
      await db.batch([{ type: 'del', key: markKey(0) }]);
      await db.batch([{ type: 'put', key: bucketKey(0, 0, 0), value: new Uint8Array(0) }]);
    });
    expect(await found(await open())).toEqual(hundreds(2500));
  });

  it('is whole after a crash between two sections and at their border', async () => {
    for (const last of [1022, 1023, 1024, 2047, 2048]) {
      const history = await grow(last);
      expect(await found(history)).toEqual(hundreds(last));
      const crashed = join(home, `crashed-${last}`);
      while (!copyUndisturbed(join(home, 'history'), crashed)) await nextTurn();
      const survivor = await openHistory(
        { directory: crashed },
        { changelog: NO_CHANGELOG, logger: silentLogger },
      );
      expect(await found(survivor)).toEqual(hundreds(survivor.latestHeight));
      await survivor.close();
    }
  });
});

/** False where files came or went meanwhile: such a copy is of no one moment. */
function copyUndisturbed(from: string, to: string): boolean {
  const names = (): string => readdirSync(from).join();
  const before = names();
  rmSync(to, { recursive: true, force: true });
  try {
    cpSync(from, to, { recursive: true });
  } catch {
    return false;
  }
  return names() === before;
}
