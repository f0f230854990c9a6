import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { expect, it } from 'vitest';
import { openChangelog } from '../changelog/index.ts';
import { createGenesisSnapshot, loadSnapshot } from './loadSnapshot.ts';
import { NodeHasher } from './memiavl/nodeHasher.ts';
import { PageCache } from './memiavl/pageCache.ts';
import type { MultiTree } from './multiTree.ts';
import { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import { SnapshotRewrite } from './snapshotRewrite.ts';
import { blockAt, hexOf } from './stateCommit.fixture.ts';

const STORES = ['bank', 'evm'];

it('a snapshot of trees that could not move onto the snapshot before holds every value', async () => {
  const home = mkdtempSync(join(tmpdir(), 'snapshot-rewrite-'));
  mkdirSync(join(home, 'sc'));
  const changelog = await openChangelog({ directory: join(home, 'log') }, { logger: silentLogger });
  const hasher = new NodeHasher();
  const cache = new PageCache(1 << 20);
  const directory = new SnapshotDirectory(join(home, 'sc'));
  await createGenesisSnapshot(directory, { stores: STORES, initialVersion: 1 }, hasher);
  const load = (version: number): MultiTree =>
    loadSnapshot(directory.snapshotPath(version), cache, hasher).state;
  let state = load(0);
  const unreadable = new Set([40]);
  const rewrite = new SnapshotRewrite(
    { directory, initialVersion: 0, keep: 1, bytesPerSecond: 0 },
    {
      load: (version) => {
        if (unreadable.has(version)) throw new RangeError('too many open files');
        return load(version);
      },
      changelog,
      logger: silentLogger,
    },
  );
  const snapshotAt = async (version: number): Promise<void> => {
    while (state.version < version) {
      const changes = blockAt(state.version + 1);
      state.apply(changes);
      await changelog.append({ changes, record: new Uint8Array(0) });
    }
    const live = {
      current: () => state,
      published: () => undefined,
      replace: (fresh: MultiTree) => {
        state.close();
        state = fresh;
      },
    };
    await rewrite.start(state, live);
  };
  const rows = (of: MultiTree): string[] =>
    STORES.flatMap((store) =>
      [...of.tree(store).iterate({})].map(([key, value]) => `${store} ${hexOf(key)} ${hexOf(value)}`),
    );

  await snapshotAt(20);
  await expect(snapshotAt(40)).rejects.toThrow('too many open files');
  const before = state;
  await snapshotAt(41);
  expect(state).not.toBe(before);
  const model = new Map<string, string>();
  for (let version = 1; version <= 41; version++) {
    for (const { store, changes } of blockAt(version).stores) {
      for (const { key, value } of changes) {
        if (value === null) model.delete(`${store} ${hexOf(key)}`);
        else model.set(`${store} ${hexOf(key)}`, hexOf(value));
      }
    }
  }
  expect(rows(state)).toEqual([...model].map(([key, value]) => `${key} ${value}`).sort());
  state.close();
  await changelog.close();
  rmSync(home, { recursive: true });
});
