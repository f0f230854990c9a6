import { CodedError } from '@chain/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DbRange, KeyValueDb } from './keyValueDb.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const put = (key: Uint8Array, value: Uint8Array) => ({ type: 'put', key, value }) as const;
const del = (key: Uint8Array) => ({ type: 'del', key }) as const;

async function keysOf(db: KeyValueDb, range?: DbRange): Promise<number[][]> {
  const keys: number[][] = [];
  for await (const [key] of db.iterate(range)) keys.push([...key]);
  return keys;
}

/** What every KeyValueDb must do; `open` gives an empty one each time. */
export function describeKeyValueDb(name: string, open: () => Promise<KeyValueDb>): void {
  describe(name, () => {
    let db: KeyValueDb;
    beforeEach(async () => {
      db = await open();
    });
    afterEach(() => db.close());

    it('reads back what a batch wrote, an empty value included', async () => {
      await db.batch([put(bytes(1), bytes(9)), put(bytes(2), bytes())], { sync: true });
      expect([...db.get(bytes(1))!]).toEqual([9]);
      expect(db.get(bytes(2))).toHaveLength(0);
      expect(db.has(bytes(2))).toBe(true);
      expect(db.has(bytes(3))).toBe(false);
      expect(db.get(bytes(3))).toBeUndefined();
    });

    it('applies the operations of a batch in order', async () => {
      await db.batch([put(bytes(1), bytes(1)), del(bytes(1)), put(bytes(2), bytes(1))]);
      await db.batch([del(bytes(2)), put(bytes(2), bytes(7))]);
      expect(db.has(bytes(1))).toBe(false);
      expect([...db.get(bytes(2))!]).toEqual([7]);
    });

    it('copies the rows of a batch that is filled one by one', async () => {
      const batch = db.startBatch();
      const [key, value] = [bytes(0), bytes(0)];
      for (let i = 1; i <= 3; i++) {
        key[0] = i;
        value[0] = 10 * i;
        batch.put(key, value);
      }
      expect(db.has(bytes(1))).toBe(false);
      await batch.write();
      await db.batch([], { sync: true });
      expect([1, 2, 3].map((i) => db.get(bytes(i))![0])).toEqual([10, 20, 30]);
    });

    it('answers many keys in the order asked', async () => {
      await db.batch([put(bytes(1), bytes(1)), put(bytes(3), bytes(3))]);
      const values = await db.getMany([bytes(3), bytes(2), bytes(1)]);
      expect(values.map((value) => value && [...value])).toEqual([[3], undefined, [1]]);
    });

    it('iterates in byte order, half-open, both ways', async () => {
      const keys = [bytes(0xff, 0), bytes(0xff), bytes(1, 0), bytes(1), bytes(0x80), bytes(2)];
      await db.batch(keys.map((key) => put(key, bytes(0))));
      const all = [[1], [1, 0], [2], [0x80], [0xff], [0xff, 0]];
      expect(await keysOf(db)).toEqual(all);
      expect(await keysOf(db, { reverse: true })).toEqual([...all].reverse());
      expect(await keysOf(db, { start: bytes(1, 0), end: bytes(0xff) })).toEqual([[1, 0], [2], [0x80]]);
      expect(await keysOf(db, { start: bytes(2), end: bytes(2) })).toEqual([]);
    });

    it('iterates over the state at its first step', async () => {
      await db.batch(Array.from({ length: 2000 }, (_, i) => put(bytes(i >> 8, i & 255), bytes(1))));
      let seen = 0;
      for await (const [, value] of db.iterate()) {
        if (seen++ === 0) {
          await db.batch([put(bytes(7, 1, 1), bytes(2)), put(bytes(6), bytes(2)), del(bytes(5, 0))]);
        }
        expect([...value]).toEqual([1]);
      }
      expect(seen).toBe(2000);
    });

    it('measures and compacts a range where it can', async () => {
      const { compaction } = db;
      if (!compaction) return;
      const keys = Array.from({ length: 100 }, (_, i) => bytes(i));
      await db.batch(keys.map((key) => put(key, new Uint8Array(100))));
      await compaction.compact(bytes(0), bytes(100));
      expect(await compaction.approximateSize(bytes(0), bytes(100))).toBeGreaterThan(0);
      await db.batch(keys.map(del));
      await compaction.compact(bytes(0), bytes(100));
      expect(await compaction.approximateSize(bytes(0), bytes(100))).toBe(0);
    });

    it('refuses use after close, and closes twice', async () => {
      await db.close();
      await db.close();
      expect(() => db.get(bytes(1))).toThrow(CodedError);
      await expect(db.batch([put(bytes(1), bytes(1))])).rejects.toMatchObject({ code: 'DB_CLOSED' });
      await expect(db.getMany([bytes(1)])).rejects.toMatchObject({ code: 'DB_CLOSED' });
      await expect(keysOf(db)).rejects.toMatchObject({ code: 'DB_CLOSED' });
    });
  });
}
