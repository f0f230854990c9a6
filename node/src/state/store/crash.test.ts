import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { describe, expect, it } from 'vitest';
import { availableBackends, type DbBackend, openKeyValueDb } from '../../db/index.ts';
import { KILL_LAYOUTS } from '../../killLayouts.fixture.ts';
import { prefixEnd } from '../../primitives/index.ts';
import { EVM_FAMILIES } from '../schema/index.ts';
import { HEAD_ROWS, KEY_ROWS, markerRow } from './rowKey.ts';
import type { StateStore } from './stateStore.ts';
import { StoreHome, textAt } from './stateStoreCompliance.ts';

const FIXTURE = join(import.meta.dirname, 'crashLoop.fixture.ts');

/** Runs the committing child and kills it once it has said `lines` lines; gives the last version it announced. */
function killAfter(lines: number, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [GENERAL_WRAPPERS, FIXTURE, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split('\n').length > lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== null) reject(new RangeError(`child ended by itself with code ${code}`));
      else resolve(Number(output.split('\n').at(-2)) || 0);
    });
  });
}

function expectHistory(store: StateStore, latest: number): void {
  for (let version = Math.max(1, store.earliestVersion); version <= latest; version++) {
    const evm = version % 3 === 0 ? version - 1 : version;
    expect(textAt(store, 'bank', 'k', version)).toBe(`${version}`);
    expect(textAt(store, 'evm', 'k', version)).toBe(`${evm}`);
    expect(textAt(store, 'bank', `own${version}`, version)).toBe('');
    expect(textAt(store, 'bank', `own${version}`, version - 1)).toBeUndefined();
    expect(textAt(store, 'evm', `own${version}`, latest)).toBe(version % 3 === 0 ? undefined : '');
    expect(textAt(store, 'evm', `\x03${String(evm % 5).repeat(52)}`, version)).toBe(`${evm}`);
  }
}

/** Each engine in one of them, or, in long runs, in all. */
const PLACEMENTS = [
  ['one store', false, false],
  ['split', true, false],
  ['split, separate databases', true, true],
] as const;

function placementsOf(backend: DbBackend): readonly (typeof PLACEMENTS)[number][] {
  const isOther = backend === 'rocksdb';
  return PLACEMENTS.filter(
    ([, split, separateDbs]) => KILL_LAYOUTS.length > 1 || (split && separateDbs === isOther),
  );
}

/** Lines behind which the writer is killed; RocksDB opens slowly. */
const KILLED_AT =
  KILL_LAYOUTS.length > 1
    ? { pebbledb: [1, 2, 3, 40, 7, 333], rocksdb: [1, 3, 133] }
    : { pebbledb: [1, 3, 40], rocksdb: [3] };

describe.each(availableBackends())('a node with %s killed while it writes', (backend) => {
  for (const [name, split, separateDbs] of placementsOf(backend)) {
    it(`has every announced version afterwards: ${name}`, async () => {
      const home = await StoreHome.create();
      const args = [home.directory, backend, String(split), String(separateDbs)];
      await home.changelog.close();
      // Before, at and just behind the first block of a young chain, then deeper into it.
      for (const lines of KILLED_AT[backend]) {
        const announced = await killAfter(lines, args);
        await home.reopenChangelog();
        expect(home.changelog.lastVersion).toBeGreaterThanOrEqual(announced);
        const store = await home.open({ backend, split, separateDbs });
        expect(store.latestVersion).toBe(home.changelog.lastVersion);
        expect(store.durableVersion).toBe(home.changelog.lastVersion);
        expectHistory(store, store.latestVersion);
        await store.close();
        await home.changelog.close();
      }
      await home.remove();
    });
  }
});

/** `npm run test:soak` asks for more. */
const KILLS = Number(process.env.PRUNE_KILLS ?? 1);

/** Rows that hold older versions: none is left once everything but the newest version is pruned. */
async function olderRows(backend: DbBackend, directory: string): Promise<number> {
  const db = await openKeyValueDb({ backend, directory });
  let rows = 0;
  for await (const _ of db.iterate({ start: HEAD_ROWS.end, end: markerRow('') })) rows++;
  for await (const _ of db.iterate({ start: prefixEnd(markerRow(''))!, end: KEY_ROWS.end })) rows++;
  await db.close();
  return rows;
}

describe.each(availableBackends())('a node with %s killed while it prunes', (backend) => {
  for (const [name, split, separateDbs] of placementsOf(backend)) {
    it(
      `starts, with one floor and every version from there on: ${name} (${KILLS} kills)`,
      async () => {
        const home = await StoreHome.create();
        await home.changelog.close();
        let floor = 0;
        // A kill may come before the first prune: then another one follows.
        for (let kill = 0; kill < KILLS || floor === 0; kill++) {
          const lines = 50 + Math.floor(Math.random() * 100);
          await killAfter(lines, [home.directory, backend, String(split), String(separateDbs), 'prune']);
          await home.reopenChangelog();
          const store = await home.open({ backend, split, separateDbs, keepRecent: 20 });
          expect(store.latestVersion).toBe(home.changelog.lastVersion);
          expect(store.earliestVersion).toBeGreaterThanOrEqual(floor);
          floor = store.earliestVersion;
          expectHistory(store, store.latestVersion);
          await store.close();
          await home.changelog.close();
        }
        await home.reopenChangelog();
        const store = await home.open({ backend, split, separateDbs, keepRecent: 20 });
        await store.prune(store.latestVersion);
        await store.close();
        await home.changelog.close();
        const inData = (...names: string[]): string => join(home.directory, 'data', ...names);
        expect(await olderRows(backend, inData(backend))).toBe(0);
        const databases = separateDbs ? EVM_FAMILIES : [''];
        if (split)
          for (const each of databases) expect(await olderRows(backend, inData('evm_ss', each))).toBe(0);
        await home.remove();
      },
      60_000 + KILLS * 60_000,
    );
  }
});
