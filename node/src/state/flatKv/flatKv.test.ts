import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../primitives/index.ts';
import type { BlockChanges } from '../../types/index.ts';
import { openChangelog } from '../changelog/index.ts';
import { blockAt, FlatKvFixture, filterEnd, ModelState, STORES } from './flatKv.fixture.ts';
import { startFlatKv, verifyFlatKv } from './index.ts';

function stateAfter(version: number): ModelState {
  const state = new ModelState();
  while (state.version < version) state.apply(blockAt(state.version + 1));
  return state;
}

/** FlatKV must refuse it: a nonce has eight bytes. */
function unfitBlock(version: number): BlockChanges {
  const changes = [{ key: new Uint8Array(21).fill(0x0a), value: new Uint8Array(3) }];
  return { version, stores: [{ store: 'evm', changes }] };
}

describe('FlatKV', () => {
  let home: FlatKvFixture;
  beforeEach(() => {
    home = new FlatKvFixture();
  });
  afterEach(() => home.end());

  it('holds the state after a random history, and the hash that its rows have', async () => {
    let version = 0;
    await home.open();
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 25 }), async (seed, blocks) => {
        for (const end = version + blocks; version < end; ) await home.block(blockAt(++version, seed));
        const report = await home.verified();
        expect(report.difference).toBeUndefined();
        expect(report.rows).toBeGreaterThan(0);
        expect(bytesToHex(report.hash)).toBe(bytesToHex(home.flatKv.hash));
        await home.open({}, home.state);
      }),
      { numRuns: 8 },
    );
  });

  it('follows behind the blocks and says how far it is and what is durable', async () => {
    const flatKv = await home.open({ threaded: true });
    await home.blocks(25);
    await flatKv.flushed();
    expect(flatKv).toMatchObject({ version: 25, failure: undefined });
    expect(flatKv.durableVersion).toBe(25);
    expect(flatKv.hash).toHaveLength(32);
  });

  it('makes blocks wait only when the queue is full', async () => {
    const flatKv = await home.open({ maxQueueBytes: 20_000 });
    let waiting = 0;
    let maxWaiting = 0;
    for (let version = 1; version <= 60; version++) {
      waiting++;
      const taken = flatKv.apply(blockAt(version)).then(() => waiting--);
      await Promise.resolve();
      maxWaiting = Math.max(maxWaiting, waiting);
      if (waiting > 1) await taken;
    }
    expect(maxWaiting).toBeGreaterThan(1);
    await flatKv.flushed();
    expect(flatKv.version).toBe(60);
  });

  it('names its directory when it is damaged, and is rebuilt once that is removed', async () => {
    await home.open({ threaded: true });
    await home.blocks(10);
    await home.close();
    rmSync(join(home.directory, 'working/storage/CURRENT'));
    await expect(home.open({ threaded: true })).rejects.toMatchObject({
      code: 'FLATKV_DAMAGED',
      message: expect.stringMatching(/storage" has lost its file CURRENT; remove ".*flatkv", the next start/),
    });
    rmSync(home.directory, { recursive: true });
    const again = await home.open({ threaded: true });
    await again.flushed();
    expect(again.version).toBe(10);
    expect((await home.verified()).difference).toBeUndefined();
  });

  it('stops following once an older table is found damaged, and is rebuilt when it is removed', async () => {
    await home.open({ threaded: true });
    await home.blocks(10);
    await home.flatKv.flushed();
    await home.close();
    // Makes a table of the log.
    await home.open({ threaded: true });
    await home.close();
    const storage = join(home.directory, 'working/storage');
    const table = join(storage, readdirSync(storage).find((name) => name.endsWith('.ldb'))!);
    // In the filter, which reads do without: those of the rows would tell of damage to them by themselves.
    const bytes = readFileSync(table);
    bytes[filterEnd(bytes) - 1]! ^= 1;
    writeFileSync(table, bytes);

    const flatKv = await home.open({ threaded: true, bytesCheckedAtOpen: 1 });
    while (flatKv.failure === undefined) {
      await home.block(blockAt(home.state.version + 1));
      await flatKv.flushed();
    }
    expect(flatKv.failure).toMatchObject({
      code: 'FLATKV_DAMAGED',
      message: expect.stringContaining(table),
    });
    await home.close();
    rmSync(home.directory, { recursive: true });
    await home.open({ threaded: true });
    expect((await home.verified()).difference).toBeUndefined();
  });

  it('replays the changelog from the lowest of four databases that stand at different versions', async () => {
    await home.open();
    await home.blocks(10);
    await home.flatKv.flushed();
    await home.close();
    const early = home.copyTo('early');
    await home.open();
    await home.blocks(20);
    await home.flatKv.flushed();
    const hash = bytesToHex(home.flatKv.hash);
    await home.close();
    for (const database of ['code', 'misc']) {
      rmSync(join(home.directory, 'working', database), { recursive: true });
      cpSync(join(early, 'working', database), join(home.directory, 'working', database), {
        recursive: true,
      });
    }
    await home.open();
    await home.flatKv.flushed();
    expect(bytesToHex(home.flatKv.hash)).toBe(hash);
    expect((await home.verified()).difference).toBeUndefined();
  });

  it.each<[string, (fixture: FlatKvFixture) => Promise<ModelState | undefined>]>([
    ['is switched on late', async (fixture) => void rmSync(fixture.directory, { recursive: true })],
    [
      'is ahead of a state that was rolled back',
      async (fixture) => {
        await fixture.open();
        await fixture.changelog.rewind(22);
        await fixture.close();
        return stateAfter(22);
      },
    ],
  ])('is rebuilt from the state when it %s', async (_, damage) => {
    await home.open();
    await home.blocks(30);
    await home.flatKv.flushed();
    await home.changelog.truncateBefore(20);
    expect(home.changelog.firstVersion).toBeGreaterThan(1);
    const { state } = home;
    await home.close();
    const rolledBack = await damage(home);
    await home.open({}, rolledBack ?? state);
    expect(home.flatKv.version).toBe(rolledBack?.version ?? 30);
    await home.blocks(35);
    expect((await home.verified()).difference).toBeUndefined();
    expect(existsSync(join(home.directory, 'building'))).toBe(false);
  });

  describe('that is made from the state while the chain goes on', () => {
    beforeEach(async () => {
      await home.open();
      await home.blocks(30);
      await home.flatKv.flushed();
      await home.changelog.truncateBefore(20);
      await home.close();
      rmSync(home.directory, { recursive: true });
    });

    it('takes what has come meanwhile from the changelog, of which it needs no older part', async () => {
      const flatKv = await home.open({ unfinished: true, threaded: true }, home.state);
      expect([flatKv.version, flatKv.durableVersion]).toEqual([0, 30]);
      await home.blocks(50);
      expect(flatKv.version).toBeLessThan(50);
      await flatKv.flushed();
      expect([flatKv.version, flatKv.failure]).toEqual([50, undefined]);
      await home.blocks(55);
      expect((await home.verified()).difference).toBeUndefined();
    });

    it('begins again when it was closed before it was whole', async () => {
      await home.open({ unfinished: true, threaded: true }, home.state);
      await home.close();
      expect(existsSync(join(home.directory, 'building'))).toBe(true);
      await home.open({}, home.state);
      expect(home.flatKv.version).toBe(30);
      expect((await home.verified()).difference).toBeUndefined();
    });

    it('is made anew of a chain that came as far again on another way before it was whole', async () => {
      await home.open({}, home.state);
      await home.changelog.rewind(28);
      await home.close();
      const rolledBack = stateAfter(28);
      await home.open({ unfinished: true }, rolledBack);
      await home.close();
      const other = await openChangelog({ directory: join(home.root, 'log') }, { logger: silentLogger });
      for (const changes of [29, 30, 31].map((version) => blockAt(version, 1))) {
        await other.append({ changes, record: new Uint8Array(0) });
        rolledBack.apply(changes);
      }
      await other.close();
      await home.open({}, rolledBack);
      expect((await home.verified()).difference).toBeUndefined();
    });

    it('stops following where the changelog has lost a block that it has still to take', async () => {
      const flatKv = await home.open({ unfinished: true }, home.state);
      await flatKv.apply(blockAt(31));
      await flatKv.flushed();
      expect(flatKv.failure).toMatchObject({ code: 'FLATKV_BLOCKS_GONE', fields: { next: 31, newest: 31 } });
      await home.close();
      await home.open({}, home.state);
      expect((await home.verified()).difference).toBeUndefined();
    });

    it('goes back only once it is whole', async () => {
      const flatKv = await home.open({ unfinished: true, threaded: true }, home.state);
      const row = blockAt(30).stores.find(({ store }) => store === 'evm')!;
      await flatKv.rewind({ version: 29, stores: [{ ...row, changes: row.changes.slice(0, 1) }] });
      expect([flatKv.version, flatKv.failure]).toEqual([29, undefined]);
    });
  });

  it('starts over when a rebuild was interrupted', async () => {
    await home.open();
    await home.blocks(12);
    await home.flatKv.flushed();
    await home.close();
    cpSync(join(home.directory, 'working'), join(home.directory, 'building'), { recursive: true });
    rmSync(join(home.directory, 'working'), { recursive: true });
    await home.open();
    expect((await home.verified()).difference).toBeUndefined();
  });

  it('stops following after a block that it must refuse, and recovers by a restart without it', async () => {
    const flatKv = await home.open({ threaded: true });
    await home.blocks(3);
    await flatKv.flushed();
    await flatKv.apply(unfitBlock(4));
    await flatKv.apply(blockAt(5));
    await flatKv.flushed();
    expect(flatKv.failure).toMatchObject({ code: 'FLATKV_VALUE_LENGTH' });
    expect(flatKv.version).toBe(3);
    await flatKv.apply(blockAt(6));
    await home.close();
    await home.open();
    await home.blocks(6);
    expect((await home.verified()).difference).toBeUndefined();
  });

  it('is made anew when it had stopped before the chain went back and came as far again on another way', async () => {
    const flatKv = await home.open({ threaded: true });
    await home.blocks(5);
    await flatKv.flushed();
    await flatKv.apply(unfitBlock(6));
    await flatKv.flushed();
    await flatKv.rewind({ version: 2, stores: [] });
    await home.changelog.rewind(2);
    const otherWay = stateAfter(2);
    for (const block of [3, 4, 5, 6].map((version) => blockAt(version, 1))) {
      await home.changelog.append({ changes: block, record: new Uint8Array(0) });
      otherWay.apply(block);
    }
    await home.close();
    await home.open({}, otherWay);
    expect((await home.verified()).difference).toBeUndefined();
  });

  it('lets nobody else into its directory', async () => {
    await home.open();
    const { directory } = home;
    const other = verifyFlatKv({ directory, stores: STORES, version: 0 }, home.state);
    await expect(other).rejects.toMatchObject({ code: 'DIRECTORY_LOCKED' });
  });

  it('gives its directory and its databases back when the start ends before it is recovered', async () => {
    const { directory } = home;
    const started = startFlatKv({ directory }, silentLogger);
    await started.close();
    await started.close();
    await home.open({ threaded: true });
  });
});
