import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLevelDb } from '../../db/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import { FlatKvEngine } from './engine.ts';
import { blockAt } from './flatKv.fixture.ts';
import { latticeHash, SUM_BYTES } from './latticeSum.ts';
import { LtHasher } from './ltHasher.ts';
import { isMetaKey } from './metaRows.ts';
import { DATABASES } from './rows/physicalKey.ts';

describe('the four databases', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'flatkv-engine-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Applies blocks up to `to` and gives the hash. */
  async function grow(name: string, to: number, seed = 0): Promise<string> {
    const engine = await FlatKvEngine.open(join(root, name));
    for (let version = engine.version + 1; version <= to; version++)
      await engine.apply([blockAt(version, seed)]);
    const hash = bytesToHex(engine.hash);
    await engine.close();
    return hash;
  }

  /** The hash of all rows there are. */
  async function rescanned(name: string): Promise<string> {
    const hasher = new LtHasher();
    hasher.load(new Uint8Array(SUM_BYTES));
    for (const database of DATABASES) {
      const db = await openLevelDb({ directory: join(root, name, database) });
      for await (const [key, value] of db.iterate()) if (!isMetaKey(key)) hasher.add(key, value);
      await db.close();
    }
    return bytesToHex(latticeHash(hasher.save()));
  }

  it('keep the hash that a scan of all rows gives, whatever the history', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 40 }), async (seed, blocks) => {
        const name = `run-${run++}`;
        expect(await grow(name, blocks, seed)).toBe(await rescanned(name));
      }),
      { numRuns: 12 },
    );
  });

  it.each(DATABASES)('count nothing twice when %s is ahead of the others', async (ahead) => {
    const straight = await grow('straight', 30);
    await grow('skewed', 11);
    await grow('later', 23);
    rmSync(join(root, 'skewed', ahead), { recursive: true });
    cpSync(join(root, 'later', ahead), join(root, 'skewed', ahead), { recursive: true });
    const engine = await FlatKvEngine.open(join(root, 'skewed'));
    expect(engine.version).toBe(11);
    await engine.close();
    expect(await grow('skewed', 30)).toBe(straight);
    expect(await rescanned('skewed')).toBe(straight);
  });

  it('refuse a version that leaves one out, and pass over one they have', async () => {
    await grow('home', 5);
    const engine = await FlatKvEngine.open(join(root, 'home'));
    await expect(engine.apply([blockAt(7)])).rejects.toMatchObject({ code: 'FLATKV_GAP' });
    const hash = bytesToHex(engine.hash);
    await engine.apply([blockAt(5)]);
    expect(engine.version).toBe(5);
    expect(bytesToHex(engine.hash)).toBe(hash);
    await engine.close();
  });

  it('are durable as far as the last synced version, also one they had', async () => {
    const engine = await FlatKvEngine.open(join(root, 'home'));
    await engine.apply([blockAt(1)]);
    expect(engine.durableVersion).toBe(0);
    await engine.apply([blockAt(2)], { sync: true });
    expect(engine.durableVersion).toBe(2);
    await engine.close();
    const again = await FlatKvEngine.open(join(root, 'home'));
    await again.apply([blockAt(2)], { sync: true });
    expect(again.durableVersion).toBe(2);
    await again.close();
  });

  it('move with a block that has nothing for them', async () => {
    const engine = await FlatKvEngine.open(join(root, 'home'));
    await engine.apply([{ version: 40, stores: [] }]);
    await engine.apply([{ version: 41, stores: [] }]);
    expect(engine.version).toBe(41);
    await engine.close();
  });
});
