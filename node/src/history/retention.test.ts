import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLevelDb } from '../db/index.ts';
import { sha256 } from '../primitives/index.ts';
import { type Changelog, openChangelog } from '../state/changelog/index.ts';
import { eventRows } from './events/eventRows.ts';
import type { History } from './history.ts';
import { type HistoryOptions, openHistory } from './openHistory.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { ADDRESSES, recordAt } from './recordArbitrary.fixture.ts';
import { floorRow, receiptFloorRow, recordKey } from './rows.ts';

/** 'npm run test:soak' asks for more. */
const RUNS = Number(process.env.RETENTION_RUNS ?? 4);
const logger = silentLogger;
let home = '';
let changelog: Changelog;
let history: History;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'history-'));
  changelog = await openChangelog({ directory: join(home, 'changelog') }, { logger });
  history = await open();
});
afterEach(async () => {
  await history.close();
  await changelog.close();
  rmSync(home, { recursive: true });
});

const open = (options: Partial<HistoryOptions> = {}): Promise<History> =>
  openHistory({ directory: join(home, 'history'), ...options }, { changelog, logger });

async function reopen(options: Partial<HistoryOptions> = {}): Promise<void> {
  await history.close();
  history = await open(options);
}

const LOG = { address: ADDRESSES[0]!, topics: [], data: new Uint8Array(0) };
/** Each third block has a log. */
const blockAt = (height: number) =>
  recordAt(height, [{ logs: height % 3 === 0 ? [LOG] : [], synthetic: false }]);

async function appendTo(height: number): Promise<void> {
  for (let next = changelog.lastVersion + 1; next <= height; next++) {
    const record = blockAt(next);
    const encoded = encodeBlockRecord(record);
    await changelog.append({ changes: { version: next, stores: [] }, record: encoded });
    await history.append(record, encoded);
  }
}

/** Finds exactly the blocks of the extent, by every way to them, up to the highest that ever was. */
const expectExtent = (first: number, last: number, highest = last): Promise<void> =>
  expectHeld({ first, receipts: first, last }, highest);

/** Blocks from `first` on, with their receipts from `receipts` on, and nothing of what was once above. */
async function expectHeld(
  { first, receipts, last }: { readonly first: number; readonly receipts: number; readonly last: number },
  highest: number,
): Promise<void> {
  expect([history.earliestHeight, history.latestHeight]).toEqual([first, last]);
  for (let height = 1; height <= highest; height++) {
    if (height < first || height > last) expectNothingOf(height);
  }
  await expectReceiptsFrom(receipts, last, highest);
}

function expectNothingOf(height: number): void {
  const record = blockAt(height);
  expect(history.blockByHeight(height)).toBeUndefined();
  expect(history.blockByHash(record.block.id.hash)).toBeUndefined();
  expect(history.transactionByHash(record.receipts[0]!.transactionHash)).toBeUndefined();
  expect(history.ledgerTransactionByHash(sha256(record.block.txs[0]!))).toBeUndefined();
}

/** What blocks below `first` have lost, and blocks from there on have, by every way to them. */
async function expectReceiptsFrom(first: number, last: number, highest = last): Promise<void> {
  expect(history.earliestReceiptHeight).toBe(first);
  for (let height = history.earliestHeight; height <= last; height++) {
    const record = blockAt(height);
    const isKept = height >= first;
    const held = history.blockByHeight(height)!;
    expect(held.block).toEqual(record.block);
    expect(history.blockByHash(record.block.id.hash)?.block).toEqual(record.block);
    if (isKept) expect(held).toEqual(record);
    const { transactionHash } = record.receipts[0]!;
    expect(history.transactionByHash(transactionHash)?.receipt).toEqual(
      isKept ? record.receipts[0] : undefined,
    );
    const found = history.ledgerTransactionByHash(sha256(record.block.txs[0]!));
    expect(found?.record.results).toEqual(isKept ? record.results : undefined);
  }
  const logs = await history.logs({ fromHeight: 1, toHeight: highest, addresses: [ADDRESSES[0]!] });
  const heights = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  expect(logs.map(({ blockNumber }) => blockNumber)).toEqual(heights.filter((height) => height % 3 === 0));
}

/** Rows of the blocks below the log index: four each, and those of their events. */
const rowsUpTo = (height: number): number =>
  Array.from({ length: height }, (_, i) => 4 + eventRows(blockAt(i + 1)).length).reduce((a, b) => a + b, 0);

async function rowCount(): Promise<number> {
  await history.close();
  const db = await openLevelDb({ directory: join(home, 'history') });
  let rows = 0;
  for await (const _ of db.iterate()) rows++;
  await db.close();
  history = await open();
  return rows;
}

describe('old blocks', () => {
  it('are gone by every way to them once they are pruned, and leave no row', async () => {
    await appendTo(60);
    const rows = await rowCount();
    await history.pruneBelow(41);
    await expectExtent(41, 60);
    await reopen();
    await expectExtent(41, 60);
    // Record, hash, EVM and ledger transaction of each; one row more tells the floor.
    expect(await rowCount()).toBe(rows - rowsUpTo(40) + 1);
  });

  it('are pruned as the chain goes on, and at least the newest stays', async () => {
    await reopen({ retainBlocks: 10 });
    await appendTo(130);
    await history.flush();
    await history.pruneBelow(0);
    await expectExtent(119, 130);
    await history.pruneBelow(500);
    await expectExtent(130, 130);
  });

  it('that a crash left below the floor are found by the next prune', async () => {
    await appendTo(30);
    const rows = await rowCount();
    await history.close();
    const db = await openLevelDb({ directory: join(home, 'history') });
    await db.batch([floorRow(11)]);
    await db.close();
    history = await open();
    await expectExtent(11, 30);
    await history.pruneBelow(11);
    expect(await rowCount()).toBe(rows - rowsUpTo(10) + 1);
  });
});

describe('old receipts', () => {
  it('go before their blocks, which stay, and leave no row that finds them', async () => {
    await appendTo(60);
    const rows = await rowCount();
    await history.pruneReceiptsBelow(41);
    await expectReceiptsFrom(41, 60);
    await reopen();
    await expectReceiptsFrom(41, 60);
    // Record and hash of each block stay; two rows more tell the floor and how far it is done.
    expect(await rowCount()).toBe(rows - (rowsUpTo(40) - 2 * 40) + 2);
    await history.pruneBelow(51);
    await expectReceiptsFrom(51, 60);
    await history.pruneReceiptsBelow(500);
    await expectReceiptsFrom(60, 60);
  });

  it('are found by no means from the call on, and are dropped by the next prune after a crash', async () => {
    await appendTo(30);
    const pruned = history.pruneReceiptsBelow(21);
    await expectReceiptsFrom(21, 30);
    await pruned;
    await history.close();
    const db = await openLevelDb({ directory: join(home, 'history') });
    // As a crash right behind the first write of a prune to 26 leaves it.
    await db.batch([receiptFloorRow(26)]);
    await db.close();
    history = await open();
    await expectReceiptsFrom(26, 30);
    await history.pruneReceiptsBelow(26);
    const dropped = (await recordBytes(25)) < encodeBlockRecord(blockAt(25)).length;
    expect(dropped).toBe(true);
  });

  it('are pruned as the chain goes on, not more often than asked for', async () => {
    await reopen({ receipts: { keepRecent: 10, pruneSeconds: 3600 } });
    await appendTo(130);
    await history.flush();
    await history.pruneReceiptsBelow(0);
    await expectReceiptsFrom(64 - 10 + 1, 130);
  });

  it('bound how far blocks can be taken back: the next header needs the last results', async () => {
    await appendTo(40);
    await history.pruneReceiptsBelow(31);
    await expect(history.rewind(30)).rejects.toMatchObject({ code: 'HISTORY_TRUNCATE_RANGE' });
    await history.rewind(31);
    await expectReceiptsFrom(31, 31);
  });
});

async function recordBytes(height: number): Promise<number> {
  await history.close();
  const db = await openLevelDb({ directory: join(home, 'history') });
  const { length } = db.get(recordKey(height))!;
  await db.close();
  history = await open();
  return length;
}

describe('the newest blocks', () => {
  it('can be taken back, and others put in their place', async () => {
    await appendTo(50);
    await history.rewind(20);
    await expectExtent(1, 20, 50);
    await changelog.rewind(20);
    await appendTo(35);
    await expectExtent(1, 35, 50);
    await reopen();
    await expectExtent(1, 35, 50);
  });

  it('cannot be taken back below what is held', async () => {
    await appendTo(20);
    await history.pruneBelow(10);
    await expect(history.rewind(9)).rejects.toMatchObject({ code: 'HISTORY_TRUNCATE_RANGE' });
    await history.rewind(10);
    await expectExtent(10, 10, 20);
  });
});

it(
  'holds what a model holds after any appends, prunes of blocks and of receipts, truncations and restarts',
  async () => {
    const kind = fc.constantFrom('append', 'append', 'prune', 'pruneReceipts', 'truncate', 'reopen');
    const step = fc.record({ kind, part: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await beginAnew();
        const held = { first: 1, receipts: 1 };
        for (const { kind, part } of steps) {
          const last = changelog.lastVersion;
          const between = (from: number): number => from + Math.round(((last - from) * part) / 100);
          if (kind === 'append') await appendTo(last + part);
          else if (kind === 'reopen') await reopen();
          else if (kind === 'prune') {
            held.first = between(held.first);
            held.receipts = Math.max(held.receipts, held.first);
            await history.pruneBelow(held.first);
          } else if (kind === 'pruneReceipts') {
            held.receipts = between(held.receipts);
            await history.pruneReceiptsBelow(held.receipts);
          } else {
            const chosen = between(held.receipts);
            await history.rewind(chosen);
            await changelog.rewind(chosen);
          }
          const { lastVersion } = changelog;
          await expectHeld({ ...held, last: lastVersion }, Math.max(last, lastVersion));
        }
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 10_000,
);

async function beginAnew(): Promise<void> {
  await history.close();
  await changelog.close();
  rmSync(home, { recursive: true });
  changelog = await openChangelog({ directory: join(home, 'changelog') }, { logger });
  history = await open();
  await appendTo(5);
}
