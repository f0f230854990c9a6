import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEVELDB_DIGEST, levelDbDigest } from '../../../scripts/native/levelDbBuild.ts';
import type { KeyValueDb } from './keyValueDb.ts';
import { openLevelDb } from './levelDb.ts';
import { missingChecksums } from './levelDbPackage.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'running-damage-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const ROWS = 4000;
const keyOf = (row: number): Buffer => Buffer.from(`key ${String(row).padStart(8, '0')}`);
/** Does not pack, so that a flipped bit of it still unpacks. */
const bytesOf = (row: number): Buffer => {
  const value = Buffer.alloc(40);
  for (let i = 0; i < 10; i++) value.writeUInt32LE(Math.imul(row * 10 + i + 1, 0x9e3779b1) >>> 0, 4 * i);
  return value;
};

/** A database that reads its rows from one table, none of whose blocks it has in memory. */
async function openOnTable(): Promise<KeyValueDb> {
  const filled = await openLevelDb({ directory });
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  await filled.batch(rows.map((row) => ({ type: 'put', key: keyOf(row), value: bytesOf(row) }) as const));
  await filled.close();
  // The first opening makes a table of the log.
  await (await openLevelDb({ directory })).close();
  return openLevelDb({ directory, cacheBytes: 0 });
}

/** Flips one bit of the value of `row`, on the disk. */
function flipBitOf(row: number): void {
  const name = readdirSync(directory).find((each) => each.endsWith('.ldb'))!;
  const path = join(directory, name);
  const value = bytesOf(row);
  const at = readFileSync(path).indexOf(value.subarray(0, 20)) + 11;
  expect(at).toBeGreaterThan(11);
  const file = openSync(path, 'r+');
  writeSync(file, Uint8Array.of(value[11]! ^ 4), 0, 1, at);
  closeSync(file);
}

const ERROR = { code: 'DB_DAMAGED', message: expect.stringContaining('restore it from a backup') };

describe.skipIf(missingChecksums)('a bit that flips in a table while the database runs', () => {
  it('is an error of each read that meets it, and of no other', async () => {
    const db = await openOnTable();
    flipBitOf(2000);
    expect(() => db.get(keyOf(2000))).toThrow(expect.objectContaining(ERROR));
    expect(() => db.has(keyOf(2000))).toThrow(expect.objectContaining(ERROR));
    await expect(db.getMany([keyOf(1), keyOf(2000)])).rejects.toMatchObject(ERROR);
    expect(db.get(keyOf(10))).toEqual(bytesOf(10));
    expect(db.get(keyOf(ROWS - 1))).toEqual(bytesOf(ROWS - 1));
    await db.close();
  });

  it.each([false, true])(
    'ends an iteration before any row behind it is given (reverse %s)',
    async (reverse) => {
      const db = await openOnTable();
      flipBitOf(2000);
      const given: number[] = [];
      const read = async (): Promise<void> => {
        for await (const [key] of db.iterate({ reverse }))
          given.push(Number(Buffer.from(key).toString().slice(4)));
      };
      await expect(read()).rejects.toMatchObject(ERROR);
      expect(given).toEqual(given.map((_, i) => (reverse ? ROWS - 1 - i : i)));
      expect(given.length).toBeLessThan(2000);
      await db.close();
    },
  );

  it('is not merged into another table: the compaction fails, and so does each later write', async () => {
    const db = await openOnTable();
    flipBitOf(2000);
    await db.batch([{ type: 'put', key: keyOf(3), value: Buffer.from('new') }]);
    await db.compaction!.compact(Buffer.from('k'), Buffer.from('l')).catch(() => undefined);
    expect(() => db.get(keyOf(2000))).toThrow(expect.objectContaining(ERROR));
    await expect(db.batch([{ type: 'put', key: keyOf(4), value: Buffer.from('new') }])).rejects.toMatchObject(
      ERROR,
    );
    await db.close();
    await expect(openLevelDb({ directory })).rejects.toMatchObject({ code: 'DB_DAMAGED' });
  });
});

it('there is a build with checksums for Linux on x64, of the sources that are here', () => {
  expect(readFileSync(LEVELDB_DIGEST, 'utf8').trim()).toBe(levelDbDigest());
  const isGnu = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;
  if (process.platform === 'linux' && process.arch === 'x64' && isGnu)
    expect(missingChecksums).toBeUndefined();
});
