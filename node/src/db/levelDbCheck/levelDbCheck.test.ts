import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { KeyValueDb } from '../keyValueDb.ts';
import { openLevelDb } from '../levelDb.ts';
import type { TableCheckOutcome } from './laterTableCheck.ts';
import { damageInLog } from './logCheck.ts';
import { damageInTable } from './tableCheck.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'level-db-check-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const FOOTER_BYTES = 48;
const only = (suffix: string): string => {
  const names = readdirSync(directory).filter((name) => name.endsWith(suffix));
  return join(directory, names.sort().at(-1)!);
};
const flipped = (file: Buffer, offset: number): Buffer => {
  const copy = Buffer.from(file);
  copy[offset]! ^= 1 << (offset % 8);
  return copy;
};
/** Batches of rows that pack well, and one that does not fit a block of the log. */
async function fill(batches: number): Promise<void> {
  const db = await openLevelDb({ directory });
  for (let i = 0; i < batches; i++) {
    const rows = Array.from({ length: 50 }, (_, j) => Buffer.from(`row ${i} ${j} of a table`));
    await db.batch(rows.map((row) => ({ type: 'put', key: row, value: row }) as const));
  }
  await db.batch([{ type: 'put', key: Buffer.from('long'), value: Buffer.alloc(80_000, 'long value') }]);
  await db.close();
}

it('finds any flipped bit of a table that is read', async () => {
  await fill(60);
  // A reopening makes a table of the log.
  await (await openLevelDb({ directory })).close();
  const table = readFileSync(only('.ldb'));
  expect(damageInTable(table)).toBeUndefined();
  const blocks = table.length - FOOTER_BYTES;
  for (let offset = 0; offset < blocks; offset += 97) {
    expect(damageInTable(flipped(table, offset)), `offset ${offset}`).toBeDefined();
  }
  for (let size = 0; size < table.length; size += 509) {
    expect(damageInTable(table.subarray(0, size)), `size ${size}`).toBeDefined();
  }
});

it('finds any flipped bit of a log that whole records follow, and leaves a torn tail', async () => {
  await fill(20);
  const log = readFileSync(only('.log'));
  expect(damageInLog(log)).toBeUndefined();
  // The last batch alone begins behind this.
  const last = log.lastIndexOf('long value'.repeat(2)) - 90_000;
  for (let offset = 0; offset < last; offset += 101) {
    expect(damageInLog(flipped(log, offset)), `offset ${offset}`).toBeDefined();
  }
  expect(damageInLog(flipped(log, log.length - 1))).toBeUndefined();
  for (let size = 0; size < log.length; size += 1009) {
    expect(damageInLog(log.subarray(0, size)), `size ${size}`).toBeUndefined();
  }
  expect(damageInLog(Buffer.concat([log.subarray(0, 5000), Buffer.alloc(4096)]))).toBeUndefined();
});

it('takes an empty page in the midst of a log for what a power loss leaves', async () => {
  await fill(100);
  const log = readFileSync(only('.log'));
  for (let page = 0; page + 4096 < log.length; page += 4096) {
    const holed = Buffer.from(log).fill(0, page, page + 4096);
    expect(damageInLog(holed), `page at ${page}`).toBeUndefined();
  }
});

it('is asked before a database is opened', async () => {
  await fill(60);
  const path = only('.log');
  writeFileSync(path, flipped(readFileSync(path), 1000));
  await expect(openLevelDb({ directory })).rejects.toMatchObject({
    code: 'DB_DAMAGED',
    message: expect.stringContaining(`database file "${path}" is damaged at offset 0`),
  });
});

it('looks at the tables that are in use, and not at what a crash left of a compaction', async () => {
  await fill(60);
  await (await openLevelDb({ directory })).close();
  const table = only('.ldb');
  const bytes = readFileSync(table);
  writeFileSync(join(directory, '999999.ldb'), bytes.subarray(0, bytes.length / 2));
  await (await openLevelDb({ directory })).close();
  expect(readdirSync(directory)).not.toContain('999999.ldb');
  writeFileSync(table, flipped(bytes, 100));
  await expect(openLevelDb({ directory })).rejects.toMatchObject({ code: 'DB_DAMAGED' });
});

it('checks the older tables of a large database while it is used, and refuses it once one is damaged', async () => {
  // Each reopening makes a table of the log; from four on LevelDB would merge them, whenever it has the time.
  for (let i = 0; i < 2; i++) await fill(30);
  await (await openLevelDb({ directory })).close();
  const checked = async (): Promise<[KeyValueDb, TableCheckOutcome]> => {
    const done = Promise.withResolvers<TableCheckOutcome>();
    const options = { directory, bytesCheckedAtOpen: 1, onTablesChecked: done.resolve };
    const db = await openLevelDb(options);
    return [db, await done.promise];
  };
  const [db, whole] = await checked();
  expect(whole).toMatchObject({ directory, bytes: expect.any(Number) });
  expect(whole.tables).toBeGreaterThan(0);
  expect(whole.failure).toBeUndefined();
  expect(db.has(Buffer.from('long'))).toBe(true);
  await db.close();

  const oldest = readdirSync(directory)
    .filter((name) => name.endsWith('.ldb'))
    .sort()[0]!;
  const path = join(directory, oldest);
  writeFileSync(path, flipped(readFileSync(path), 200));
  const [bad, { failure }] = await checked();
  expect(failure).toMatchObject({ code: 'DB_DAMAGED', message: expect.stringContaining(oldest) });
  expect(() => bad.get(Buffer.from('long'))).toThrow(expect.objectContaining({ code: 'DB_DAMAGED' }));
  await expect(bad.batch([])).rejects.toMatchObject({ code: 'DB_DAMAGED' });
  await bad.close();
});

it('gives up the check of older tables when the database is closed', async () => {
  await fill(30);
  await (await openLevelDb({ directory })).close();
  const seen: TableCheckOutcome[] = [];
  const options = {
    directory,
    bytesCheckedAtOpen: 1,
    onTablesChecked: (it: TableCheckOutcome) => seen.push(it),
  };
  await (await openLevelDb(options)).close();
  expect(seen).toEqual([]);
});
