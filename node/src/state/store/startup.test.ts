import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@chain/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchOperation, openLevelDb } from '../../db/index.ts';
import { openStateStore } from './openStateStore.ts';
import { headPrefix, headRow } from './rowKey.ts';
import type { StateStore } from './stateStore.ts';
import { block, bytes, rowsAt, StoreHome, textAt } from './stateStoreCompliance.ts';
import { earliestMarker, latestMarker } from './versionMarkers.ts';

let home: StoreHome;
beforeEach(async () => {
  home = await StoreHome.create();
});
afterEach(() => home.remove());

const inData = (...names: string[]) => join(home.directory, 'data', ...names);
const SPLIT = { split: true, separateDbs: false };
const SEPARATE = { split: true, separateDbs: true };
const SINGLE = { split: false, separateDbs: false };

/** Commits versions up to `to`, each setting `bank/k` and `evm/k` to itself. */
async function commitTo(to: number, options: typeof SPLIT): Promise<void> {
  const store = await home.open(options);
  for (let version = store.latestVersion + 1; version <= to; version++) {
    await home.commit(store, block(version, { bank: { k: `${version}` }, evm: { k: `${version}` } }));
  }
  await store.close();
}

async function change(directory: string, operations: BatchOperation[]): Promise<void> {
  const db = await openLevelDb({ directory });
  await db.batch(operations);
  await db.close();
}

async function rowCount(directory: string, prefix: Uint8Array): Promise<number> {
  const db = await openLevelDb({ directory });
  let count = 0;
  for await (const [row] of db.iterate()) if (Buffer.from(row).includes(Buffer.from(prefix))) count++;
  await db.close();
  return count;
}

const expectBoth = (store: StateStore, version: number, bank?: string, evm?: string): void => {
  expect([textAt(store, 'bank', 'k', version), textAt(store, 'evm', 'k', version)]).toEqual([bank, evm]);
};

describe('a start with the split', () => {
  it('logs the three lines that operators wait for, and only the first without it', async () => {
    for (const [options, lines] of [
      [SPLIT, 3],
      [SINGLE, 1],
    ] as const) {
      const fresh = await StoreHome.create();
      const said: Record<string, unknown>[] = [];
      const logger = createLogger({ write: (line) => said.push(JSON.parse(line)) });
      const store = await openStateStore(
        {
          home: fresh.directory,
          backend: 'pebbledb',
          asyncWriteBuffer: 0,
          committedVersion: 0,
          ...options,
        },
        { changelog: fresh.changelog, logger },
      );
      const expected = [
        { msg: 'SeiDB SS is enabled', backend: 'pebbledb' },
        { msg: 'SeiDB EVM StateStore optimization is enabled', separateDBs: false },
        { msg: 'EVM state store enabled', dir: join(fresh.directory, 'data/evm_ss'), separateDBs: false },
      ];
      expect(said).toHaveLength(lines);
      expect(said).toMatchObject(expected.slice(0, lines));
      await store.close();
      await fresh.remove();
    }
  });

  for (const options of [SPLIT, SEPARATE]) {
    const kind = options.separateDbs ? 'separate databases' : 'one database';
    it(`is refused without an EVM directory and leaves none behind: ${kind}`, async () => {
      await commitTo(3, SINGLE);
      await expect(home.open(options)).rejects.toMatchObject({
        code: 'STORE_EVM_DIRECTORY',
        message: expect.stringMatching(/does not exist.*evm-ss-split = false/),
      });
      expect(await readdir(inData())).not.toContain('evm_ss');
      await mkdir(inData('evm_ss'));
      await expect(home.open(options)).rejects.toMatchObject({
        code: 'STORE_EVM_DIRECTORY',
        message: expect.stringContaining('is empty'),
      });
      expect(await readdir(inData('evm_ss'))).toEqual([]);
      const store = await home.open(SINGLE);
      expectBoth(store, 3, '3', '3');
      await store.close();
    });

    it(`is refused when the EVM databases hold no marker, though the changelog reaches back: ${kind}`, async () => {
      await commitTo(3, SINGLE);
      const directory = options.separateDbs ? inData('evm_ss', 'nonce') : inData('evm_ss');
      await change(directory, []);
      expect(home.changelog.firstVersion).toBe(1);
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(home.open(options)).rejects.toMatchObject({
          code: 'STORE_EVM_EMPTY',
          message: expect.stringMatching(/state sync.*evm-ss-split = false/),
        });
      }
    });
  }

  it('is refused when the stores begin at different versions, and reads nothing below the floor', async () => {
    await commitTo(5, SPLIT);
    await change(inData('evm_ss'), [earliestMarker(3)]);
    await expect(home.open(SPLIT)).rejects.toMatchObject({
      code: 'STORE_EARLIEST_DIFFER',
      fields: { evmEarliest: 3, baseEarliest: 0 },
    });
    await change(inData('pebbledb'), [earliestMarker(3)]);
    const store = await home.open(SPLIT);
    expect(store.earliestVersion).toBe(3);
    expectBoth(store, 2);
    expectBoth(store, 3, '3', '3');
    expect(await rowsAt(store, 'bank', 2)).toEqual([]);
    await store.close();
  });

  it('is refused over an EVM store of the other placement', async () => {
    await commitTo(2, SPLIT);
    await expect(home.open(SEPARATE)).rejects.toMatchObject({ code: 'STORE_EVM_PLACEMENT' });
    await rm(inData('evm_ss'), { recursive: true });
    await mkdir(inData('evm_ss', 'nonce'), { recursive: true });
    await expect(home.open(SPLIT)).rejects.toMatchObject({ code: 'STORE_EVM_PLACEMENT' });
  });

  it('is refused with a stale EVM store beside an empty node', async () => {
    await commitTo(2, SPLIT);
    await home.changelog.reset();
    await rm(inData('pebbledb'), { recursive: true });
    await expect(home.open(SPLIT)).rejects.toMatchObject({
      code: 'STORE_AHEAD',
      message: expect.stringContaining('remove the stale'),
    });
  });
});

describe('each key lives in one store', () => {
  for (const options of [SPLIT, SEPARATE]) {
    it(`and a planted one is never found: separate databases ${options.separateDbs}`, async () => {
      await commitTo(4, options);
      expect(await rowCount(inData('pebbledb'), headPrefix('evm'))).toBe(0);
      const evm = options.separateDbs ? inData('evm_ss', 'legacy') : inData('evm_ss');
      expect(await rowCount(evm, headPrefix('bank'))).toBe(0);
      // A live head at version 1 with value "!", no spine, no tail.
      const head = Uint8Array.of(1, 0, 0, 0, 0, 0, 1, 1, 0x21, 0);
      const planted = bytes('planted');
      const into = (store: string): BatchOperation[] => [
        { type: 'put', key: headRow(headPrefix(store), planted), value: head },
      ];
      await change(inData('pebbledb'), into('evm'));
      await change(evm, into('bank'));
      const store = await home.open(options);
      expect(textAt(store, 'evm', 'planted', 4)).toBeUndefined();
      expect(textAt(store, 'bank', 'planted', 4)).toBeUndefined();
      await store.close();
      await change(inData('pebbledb'), into('bank'));
      const control = await home.open(options);
      expect(textAt(control, 'bank', 'planted', 4)).toBe('!');
      await control.close();
    });
  }
});

describe('split on, off and on again', () => {
  for (const options of [SPLIT, SEPARATE]) {
    it(`catches up from a complete changelog: separate databases ${options.separateDbs}`, async () => {
      await commitTo(3, options);
      await commitTo(6, SINGLE);
      const store = await home.open(options);
      for (let version = 1; version <= 6; version++) expectBoth(store, version, `${version}`, `${version}`);
      await store.close();
    });
  }

  it('misses, while it is off, what was written before, and says so', async () => {
    await commitTo(3, SPLIT);
    const store = await home.open(SINGLE);
    expectBoth(store, 3, '3', undefined);
    await home.commit(store, block(4, { evm: { k: '4' } }));
    expectBoth(store, 4, '3', '4');
    await store.close();
  });

  it('is refused when the changelog begins above what the EVM store lacks', async () => {
    await commitTo(3, SPLIT);
    const store = await home.open(SINGLE);
    for (let version = 4; version <= 400; version++) {
      await home.commit(store, block(version, { bank: { k: `${version}` } }));
    }
    await store.close();
    await home.changelog.truncateBefore(300);
    expect(home.changelog.firstVersion).toBeGreaterThan(4);
    await expect(home.open(SPLIT)).rejects.toMatchObject({
      code: 'STORE_EVM_BEHIND',
      message: expect.stringMatching(/state sync.*evm-ss-split = false/),
    });
    const again = await home.open(SINGLE);
    expect(textAt(again, 'bank', 'k', 400)).toBe('400');
    await again.close();
  });
});

describe('recovery', () => {
  it('replays what either store lacks, empty values and deletes alike', async () => {
    const store = await home.open(SPLIT);
    await home.commit(store, block(1, { bank: { k: 'a' }, evm: { k: 'a' } }));
    await store.close();
    const logged = [
      block(2, { bank: { k: '' }, evm: { k: '' } }),
      block(3, { bank: { k: null }, evm: { k: null } }),
      block(4, { bank: { k: '4' } }),
    ];
    for (const changes of logged) await home.changelog.append({ changes, record: bytes('') });
    const reopened = await home.open(SPLIT);
    expectBoth(reopened, 1, 'a', 'a');
    expectBoth(reopened, 2, '', '');
    expectBoth(reopened, 3);
    expectBoth(reopened, 4, '4', undefined);
    expect([reopened.latestVersion, reopened.durableVersion]).toEqual([4, 4]);
    await reopened.close();
  });

  it('rebuilds a lost base store only from a complete changelog', async () => {
    await commitTo(300, SINGLE);
    await rm(inData('pebbledb'), { recursive: true });
    const rebuilt = await home.open(SINGLE);
    expectBoth(rebuilt, 200, '200', '200');
    await rebuilt.close();
    await home.changelog.truncateBefore(250);
    await rm(inData('pebbledb'), { recursive: true });
    await expect(home.open(SINGLE)).rejects.toMatchObject({
      code: 'STORE_WITHOUT_DATA',
      message: expect.stringContaining('put the old ss-backend'),
    });
    expect(await readdir(inData())).not.toContain('pebbledb');
  });

  it('knows that a chain may begin above 1', async () => {
    const late = { ...SPLIT, initialVersion: 100 };
    const store = await home.open({ ...late, committedVersion: 99 });
    await home.commit(store, block(100, { bank: { k: 'a' }, evm: { k: 'a' } }));
    await home.commit(store, block(101, { evm: { k: 'b' } }));
    await store.close();
    await rm(inData('pebbledb'), { recursive: true });
    await rm(inData('evm_ss'), { recursive: true });
    const rebuilt = await home.open(late);
    expectBoth(rebuilt, 100, 'a', 'a');
    expectBoth(rebuilt, 101, 'a', 'b');
    expectBoth(rebuilt, 99);
    await rebuilt.close();
  });

  it('never skips versions that the changelog no longer has', async () => {
    await commitTo(300, SINGLE);
    await change(inData('pebbledb'), [latestMarker(10)]);
    await home.changelog.truncateBefore(250);
    await expect(home.open(SINGLE)).rejects.toMatchObject({ code: 'STORE_CHANGELOG_GAP' });
  });

  it('refuses a store that is ahead of the node', async () => {
    await commitTo(5, SINGLE);
    await home.changelog.rewind(3);
    await expect(home.open({ ...SINGLE, committedVersion: 3 })).rejects.toMatchObject({
      code: 'STORE_AHEAD',
    });
  });

  it('leaves the directory of another program as it was', async () => {
    await mkdir(inData('pebbledb'));
    await writeFile(inData('pebbledb', 'OPTIONS-000007'), 'pebble');
    await expect(home.open(SINGLE)).rejects.toMatchObject({ code: 'DB_FOREIGN_DIRECTORY' });
    expect(await readdir(inData('pebbledb'))).toEqual(['OPTIONS-000007']);
  });
});
