import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeyValueDb, openLevelDb } from '../../../db/index.ts';
import { bytesToHex, utf8 } from '../../../primitives/index.ts';
import { FlatKvEngine } from '../engine.ts';
import { blockAt, ModelState, STORES } from '../flatKv.fixture.ts';
import { workingDirectory } from '../layout.ts';
import { DATABASES, type DatabaseName } from '../rows/physicalKey.ts';
import type { FlatKvDifference } from './verifyDatabase.ts';
import { type FlatKvReport, verifyFlatKv } from './verifyFlatKv.ts';

const VERSION = 20;
type Row = readonly [key: Uint8Array, value: Uint8Array];
/** The row that takes another's place; without a value it is deleted. */
type Tampering = (row: Row) => readonly [key: Uint8Array, value?: Uint8Array];

const withByte = (bytes: Uint8Array, at: number, byte: number): Uint8Array => {
  const changed = Uint8Array.from(bytes);
  changed[at] = byte;
  return changed;
};

describe('a comparison of FlatKV with the state', () => {
  let directory: string;
  let state: ModelState;
  let hash: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'flatkv-verify-'));
    state = new ModelState();
    const engine = await FlatKvEngine.open(workingDirectory(directory));
    while (state.version < VERSION) {
      const changes = blockAt(state.version + 1);
      await engine.apply([changes]);
      state.apply(changes);
    }
    hash = bytesToHex(engine.hash);
    await engine.close();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const verify = (): Promise<FlatKvReport> =>
    verifyFlatKv({ directory, stores: STORES, version: VERSION }, state);

  async function tamper(
    database: DatabaseName,
    tampering: Tampering,
  ): Promise<{ readonly row: Row; readonly difference: FlatKvDifference | undefined }> {
    const db = await openLevelDb({ directory: join(workingDirectory(directory), database) });
    const row = await firstRow(db);
    const [key, value] = tampering(row);
    await db.batch([value ? { type: 'put', key, value } : { type: 'del', key }]);
    await db.close();
    return { row, difference: (await verify()).difference };
  }

  async function firstRow(db: KeyValueDb): Promise<Row> {
    const rows: Row[] = [];
    for await (const row of db.iterate({ start: utf8('a') })) rows.push(row);
    return rows[0]!;
  }

  it('finds nothing, and the hash anew, when all is well', async () => {
    const report = await verify();
    expect(report.difference).toBeUndefined();
    expect(bytesToHex(report.hash)).toBe(hash);
    expect(report.rows).toBeGreaterThan(40);
  });

  it.each(DATABASES)('names a row of %s that is missing', async (database) => {
    const { row, difference } = await tamper(database, ([key]) => [key]);
    expect(difference).toMatchObject({
      database,
      what: 'missing row',
      key: bytesToHex(row[0]),
      found: 'nothing',
    });
  });

  it.each(DATABASES)('names a row of %s with another value', async (database) => {
    const { row, difference } = await tamper(database, ([key, value]) => [key, Uint8Array.of(...value, 1)]);
    const found = `${bytesToHex(row[1].subarray(9))}01`;
    expect(difference).toMatchObject({ database, what: 'value', key: bytesToHex(row[0]), found });
  });

  it('names a row too many', async () => {
    const extra = Uint8Array.of(...utf8('evm/\x03'), ...new Uint8Array(52).fill(0x77));
    const { difference } = await tamper('storage', () => [extra, new Uint8Array(41)]);
    expect(difference).toMatchObject({ what: 'extra row', key: bytesToHex(extra), expected: 'nothing' });
  });

  it('names a sum that its rows do not have: the same rows, one with another height', async () => {
    const { difference } = await tamper('code', ([key, value]) => [key, withByte(value, 8, value[8]! - 1)]);
    expect(difference).toMatchObject({ what: 'module hash', key: bytesToHex(utf8('_meta/x:evm/hash')) });
  });

  it('names a height that has not come yet', async () => {
    const { difference } = await tamper('misc', ([key, value]) => [key, withByte(value, 8, VERSION + 1)]);
    expect(difference).toMatchObject({ what: 'height', found: String(VERSION + 1) });
  });

  it('names a version that is not the state’s', async () => {
    const version = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 19);
    const { difference } = await tamper('account', () => [utf8('_meta/version'), version]);
    expect(difference).toMatchObject({ what: 'version', expected: '20', found: '19' });
  });
});
