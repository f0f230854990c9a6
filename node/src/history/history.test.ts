import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLogger } from '@chain/platform';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../primitives/index.ts';
import { type Changelog, openChangelog } from '../state/changelog/index.ts';
import type { BlockRecord } from '../types/index.ts';
import type { History } from './history.ts';
import { SECTION_HEIGHTS } from './index/section.ts';
import { openHistory } from './openHistory.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { ADDRESSES, logsAt, recordAt, word } from './recordArbitrary.fixture.ts';

let home = '';
let changelog: Changelog;
let opened: History | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'history-'));
  await openLog();
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await changelog.close();
  rmSync(home, { recursive: true });
});

async function openLog(): Promise<void> {
  changelog = await openChangelog({ directory: join(home, 'changelog') }, { logger: silentLogger });
}

async function open(options: { initialHeight?: number; cacheBytes?: number } = {}): Promise<History> {
  await opened?.close();
  opened = undefined;
  opened = await openHistory(
    { directory: join(home, 'history'), ...options },
    { changelog, logger: silentLogger },
  );
  return opened;
}

const log = (record: BlockRecord) =>
  changelog.append({
    changes: { version: record.block.header.height, stores: [] },
    record: encodeBlockRecord(record),
  });

function expectWhole(history: History, record: BlockRecord): void {
  const { height } = record.block.header;
  expect(history.blockByHeight(height)).toEqual(record);
  expect(history.blockByHash(record.block.id.hash)).toEqual(record);
  record.receipts.forEach((receipt, i) => {
    const raw = record.block.txs[i]!;
    expect(history.transactionByHash(receipt.transactionHash)).toEqual({ record, receipt, raw });
    expect(history.ledgerTransactionByHash(sha256(raw))).toEqual({ record, index: i });
  });
}

const two = [
  { logs: [], synthetic: false },
  { logs: [], synthetic: true },
];

/** Blocks behind which the writer is killed: behind the end of a section, or, in long runs, before and far behind it too. */
const KILLED_AT = process.env.CRASH_KILLS ? [3, 25, 40] : [25];

describe('history', () => {
  it('finds a block by every key at once, and after a reopen with a cold cache', async () => {
    let history = await open();
    expect([history.latestHeight, history.earliestHeight, history.durableHeight]).toEqual([0, 0, 0]);
    expect(history.blockByHeight(1)).toBeUndefined();
    const records = Array.from({ length: 200 }, (_, i) => recordAt(i + 1, two));
    for (const record of records) {
      const appended = history.append(record);
      expectWhole(history, record);
      await appended;
    }
    await history.flush();
    expect(history.durableHeight).toBe(200);
    for (const record of records) expectWhole(history, record);
    history = await open({ cacheBytes: 2000 });
    expect([history.latestHeight, history.earliestHeight, history.durableHeight]).toEqual([200, 1, 200]);
    for (const record of records) expectWhole(history, record);
    expect(history.blockByHeight(201)).toBeUndefined();
    expect(history.blockByHash(word(32, 9))).toBeUndefined();
    expect(history.transactionByHash(word(32, 9))).toBeUndefined();
    expect(history.ledgerTransactionByHash(word(32, 9))).toBeUndefined();
  });

  it('moves durableHeight without being asked to', async () => {
    const history = await open();
    for (let height = 1; height <= 500; height++) void history.append(recordAt(height));
    while (history.durableHeight < 64) await new Promise((resolve) => setImmediate(resolve));
    expect(history.latestHeight).toBe(500);
  });

  it('finds a transaction that was included twice where it was last', async () => {
    const history = await open();
    const first = recordAt(1, two);
    const again = recordAt(2, two);
    const second = {
      ...again,
      block: { ...again.block, txs: [first.block.txs[1]!, first.block.txs[0]!] },
      receipts: again.receipts.map((receipt, i) => ({
        ...receipt,
        transactionHash: first.receipts[1 - i]!.transactionHash,
      })),
    };
    await history.append(first);
    await history.append(second);
    expectWhole(history, second);
    await history.flush();
    expectWhole(history, second);
    expectWhole(await open(), second);
  });

  it('puts a whole block in the place of the same one with gaps, for good', async () => {
    let history = await open();
    const record = recordAt(1, two);
    const { block } = record;
    await history.append({ ...record, block: { ...block, lastCommit: new Uint8Array(0), sizeBytes: 0 } });
    await history.append(recordAt(2, two));
    const other = { ...block, id: { ...block.id, hash: word(32, 9) } };
    await expect(history.completeBlock(other)).rejects.toMatchObject({ code: 'HISTORY_OTHER_BLOCK' });
    expect(await history.completeBlock(block)).toEqual(record);
    expectWhole(history, record);
    history = await open();
    expectWhole(history, record);
    expectWhole(history, recordAt(2, two));
  });

  it('refuses a height that does not follow', async () => {
    const history = await open();
    await history.append(recordAt(1));
    for (const height of [1, 3]) {
      await expect(history.append(recordAt(height))).rejects.toMatchObject({
        code: 'HISTORY_GAP',
        fields: { height, expected: 2 },
      });
    }
    expect(history.latestHeight).toBe(1);
  });

  it('begins at the initial height, or where a restored snapshot ends', async () => {
    let history = await open({ initialHeight: 100 });
    await expect(history.append(recordAt(1))).rejects.toMatchObject({ code: 'HISTORY_GAP' });
    await history.startAt(5000);
    history = await open({ initialHeight: 100 });
    expect(history.latestHeight).toBe(0);
    await history.append(recordAt(5000));
    expect([history.earliestHeight, history.latestHeight]).toEqual([5000, 5000]);
    await expect(history.startAt(7000)).rejects.toMatchObject({ code: 'HISTORY_NOT_EMPTY' });
  });
});

describe('catching up from the changelog', () => {
  it('appends what the changelog has above it', async () => {
    const records = Array.from({ length: 20 }, (_, i) => recordAt(i + 1, two));
    for (const record of records) await log(record);
    let history = await open();
    expect([history.latestHeight, history.durableHeight]).toEqual([20, 20]);
    for (const record of records) expectWhole(history, record);
    await log(recordAt(21));
    history = await open();
    expectWhole(history, recordAt(21));
  });

  it('refuses a changelog that begins above it or ends below it', async () => {
    await log(recordAt(2));
    await expect(open()).rejects.toMatchObject({ code: 'HISTORY_BEHIND_CHANGELOG' });
    const history = await open({ initialHeight: 2 });
    await history.append(recordAt(3));
    await expect(open()).rejects.toMatchObject({ code: 'HISTORY_AHEAD' });
  });

  it('has no hole after a power loss that took a page of unsynced blocks, but not what is behind it', async () => {
    const log40k = { address: ADDRESSES[0]!, topics: [], data: word(40_000, 7) };
    const records = Array.from({ length: 30 }, (_, i) =>
      recordAt(i + 1, [{ logs: [log40k], synthetic: false }]),
    );
    const history = await open();
    for (const record of records) {
      await log(record);
      await history.append(record);
      while (!unsyncedFile(join(home, 'history')).bytes.includes(Buffer.from(record.block.id.hash)))
        await nextTurn();
    }
    const crashed = join(home, 'crashed');
    cpSync(join(home, 'history'), crashed, { recursive: true });
    const { path, bytes } = unsyncedFile(crashed);
    const page = bytes.indexOf(Buffer.from(records[14]!.block.id.hash)) & ~4095;
    writeFileSync(path, bytes.fill(0, page, page + 4096));
    const survivor = await openHistory({ directory: crashed }, { changelog, logger: silentLogger });
    for (const record of records) expectWhole(survivor, record);
    await survivor.close();
  });

  it('loses no block and no log of a killed node, also where a section of the log index ends', async () => {
    const initialHeight = SECTION_HEIGHTS - 20;
    for (const kills of KILLED_AT) {
      await opened?.close();
      opened = undefined;
      await changelog.close();
      const acknowledged = await killedAfter(kills, initialHeight);
      await openLog();
      const history = await open({ initialHeight });
      expect(history.latestHeight).toBeGreaterThanOrEqual(acknowledged);
      const withLogs: number[] = [];
      for (let height = initialHeight; height <= history.latestHeight; height++) {
        expectWhole(history, recordAt(height, logsAt(height)));
        if (height % 2 === 0) withLogs.push(height);
      }
      const range = { fromHeight: 1, toHeight: history.latestHeight };
      const found = await history.logs({ ...range, addresses: [ADDRESSES[0]!] });
      expect(found.map(({ blockNumber }) => blockNumber)).toEqual(withLogs);
    }
  });
});

/** The database's log, where batches are before they become a table. */
function unsyncedFile(directory: string): { path: string; bytes: Buffer } {
  const path = join(directory, readdirSync(directory).find((name) => name.endsWith('.log'))!);
  return { path, bytes: readFileSync(path) };
}

/** Starts a process that makes blocks without end and kills it after `blocks` more of them. */
async function killedAfter(blocks: number, initialHeight: number): Promise<number> {
  const program = join(import.meta.dirname, 'appendForever.fixture.ts');
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, program, home, String(initialHeight)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.split('\n').length > blocks) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  return Number(text.split('\n').at(-2));
}
