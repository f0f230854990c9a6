import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Changelog, openChangelog } from '../state/changelog/index.ts';
import type { BlockRecord, LedgerEvent } from '../types/index.ts';
import { EVERY_TRANSACTION, type EventItem } from './events/eventRows.ts';
import type { History } from './history.ts';
import { type HistoryOptions, openHistory } from './openHistory.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { recordAt } from './recordArbitrary.fixture.ts';

let home: string;
let changelog: Changelog;
let history: History;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'history-events-'));
  changelog = await openChangelog({ directory: join(home, 'changelog') }, { logger: silentLogger });
  history = await open();
});
afterEach(async () => {
  await history.close();
  await changelog.close();
  rmSync(home, { recursive: true });
});

const open = (options: Partial<HistoryOptions> = {}): Promise<History> =>
  openHistory({ directory: join(home, 'history'), ...options }, { changelog, logger: silentLogger });

async function reopen(options: Partial<HistoryOptions> = {}): Promise<void> {
  await history.close();
  history = await open(options);
}

type Attributes = readonly { readonly key: string; readonly value: string; readonly index: boolean }[];

/** A block whose transactions have one event each, `bank` with these attributes. */
function blockWith(height: number, transactions: readonly Attributes[]): BlockRecord {
  const base = recordAt(height, []);
  const txs = transactions.map((_, i) => Uint8Array.of(height, i));
  const results = transactions.map((attributes) => {
    const events: LedgerEvent[] = [{ type: 'bank', attributes }];
    return { code: 0, codespace: '', data: new Uint8Array(0), log: '', gasWanted: 1n, gasUsed: 1n, events };
  });
  return { ...base, block: { ...base.block, txs }, results, receipts: [] };
}

async function append(record: BlockRecord): Promise<void> {
  const encoded = encodeBlockRecord(record);
  await changelog.append({ changes: { version: record.block.header.height, stores: [] }, record: encoded });
  await history.append(record, encoded);
}

const to = (value: string, index = true): Attributes => [{ key: 'to', value, index }];
const find = async (item: EventItem, range: Partial<{ first: number; last: number; max: number }> = {}) => [
  ...(await history.events(item, { first: 1, last: 100, max: 1000, ...range })),
];

describe('events', () => {
  it('find the transactions of a block by tag and by value, before and after they are on disk', async () => {
    await append(blockWith(1, [to('a'), to('b'), to('a')]));
    await append(blockWith(2, [to('b'), to('c', false)]));
    const check = async (): Promise<void> => {
      expect(await find({ tag: 'bank.to', value: 'a' })).toEqual([[1, [0, 2]]]);
      expect(await find({ tag: 'bank.to' })).toEqual([
        [1, [0, 1, 2]],
        [2, [0]],
      ]);
      expect(await find({ tag: 'bank.to', value: 'c' })).toEqual([]);
      expect(await find(EVERY_TRANSACTION)).toEqual([
        [1, [0, 1, 2]],
        [2, [0, 1]],
      ]);
      expect(await find({ tag: 'bank.to', value: 'b' }, { first: 2 })).toEqual([[2, [0]]]);
      expect(await find({ tag: 'bank.to', value: 'b' }, { last: 1 })).toEqual([[1, [1]]]);
    };
    await check();
    await history.flush();
    await check();
    await reopen();
    await check();
  });

  it('go with their blocks', async () => {
    for (let height = 1; height <= 6; height++) await append(blockWith(height, [to('a')]));
    await history.flush();
    await history.pruneBelow(3);
    await history.rewind(5);
    expect((await find({ tag: 'bank.to', value: 'a' })).map(([height]) => height)).toEqual([3, 4, 5]);
  });

  it('are made again in a home that ran without them, and refused meanwhile', async () => {
    await append(blockWith(1, [to('a')]));
    await reopen({ indexEvents: false });
    await append(blockWith(2, [to('a')]));
    await expect(find(EVERY_TRANSACTION)).rejects.toMatchObject({ code: 'HISTORY_EVENTS_OFF' });
    await reopen();
    expect((await find({ tag: 'bank.to', value: 'a' })).map(([height]) => height)).toEqual([1, 2]);
  });

  it('are too many above a limit', async () => {
    await append(blockWith(1, [to('a'), to('a'), to('a')]));
    await history.flush();
    await expect(find(EVERY_TRANSACTION, { max: 2 })).rejects.toMatchObject({
      code: 'HISTORY_EVENTS_TOO_MANY',
    });
  });

  it('match a plain recount of random blocks', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const transaction = fc.array(fc.record({ key: name, value: name, index: fc.boolean() }), {
      maxLength: 4,
    });
    const blocks = fc.sample(fc.array(transaction, { maxLength: 5 }), { numRuns: 40, seed: 7 });
    for (const [i, transactions] of blocks.entries()) await append(blockWith(i + 1, transactions));
    await history.flush();
    for (const key of ['a', 'b', 'c']) {
      for (const value of ['a', 'b', 'c', undefined]) {
        const expected = blocks.flatMap((transactions, i) => {
          const has = (it: Attributes) =>
            it.some((one) => one.index && one.key === key && (value === undefined || one.value === value));
          const indexes = transactions.flatMap((it, index) => (has(it) ? [index] : []));
          return indexes.length > 0 ? [[i + 1, indexes]] : [];
        });
        expect(await find({ tag: `bank.${key}`, ...(value !== undefined && { value }) })).toEqual(expected);
      }
    }
  });
});
