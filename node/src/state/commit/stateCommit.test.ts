import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blockAt, hexOf, StateCommitFixture, text } from './stateCommit.fixture.ts';

const fixture = new StateCommitFixture();
const reference = new StateCommitFixture();
beforeEach(() => {
  fixture.begin();
  reference.begin();
});
afterEach(async () => {
  await fixture.end();
  await reference.end();
});
const entries = (): string[] =>
  readdirSync(fixture.commitDirectory)
    .filter((name) => !name.startsWith('LOCK'))
    .sort();
const name = (version: number): string => `snapshot-${String(version).padStart(20, '0')}`;

describe('recovery', () => {
  it('starts empty, and replays the log to the same hashes', async () => {
    const empty = await fixture.open();
    expect([empty.version, empty.snapshotVersion]).toEqual([0, 0]);
    const hashes = await fixture.blocks(1, 30);
    const again = await fixture.open();
    expect([again.version, hexOf(again.appHash)]).toEqual([30, hashes.at(-1)]);
    expect(await fixture.blocks(31, 40)).toEqual((await run(40)).slice(30));
  });

  it('goes on from snapshots with the hashes of a state that was never snapshotted', async () => {
    await fixture.open();
    const hashes: string[] = [];
    for (let from = 1; from <= 85; from += 21) {
      hashes.push(...(await fixture.blocks(from, from + 19)));
      await fixture.commit.snapshotNow();
      expect(fixture.commit.snapshotVersion).toBe(from + 19);
      hashes.push(await fixture.block(blockAt(from + 20)));
      await fixture.changelog.truncateBefore(from + 20);
      await fixture.open();
      expect(hexOf(fixture.commit.appHash)).toBe(hashes.at(-1));
    }
    expect(hashes).toEqual(await run(hashes.length));
  });

  it('begins at the initial version and keeps it', async () => {
    await fixture.open({ initialVersion: 500 });
    expect(() => fixture.commit.apply(blockAt(1))).toThrowError(/goes on at 500/);
    await fixture.blocks(500, 510);
    const hash = hexOf(fixture.commit.appHash);
    expect(hexOf((await fixture.open()).appHash)).toBe(hash);
    await fixture.commit.snapshotNow();
    expect([(await fixture.open()).version, hexOf(fixture.commit.appHash)]).toEqual([510, hash]);
  });

  it('removes what a crash left half done', async () => {
    await fixture.open();
    await fixture.blocks(1, 5);
    await fixture.commit.snapshotNow();
    await fixture.blocks(6, 8);
    await fixture.close();
    mkdirSync(join(fixture.commitDirectory, `${name(8)}-tmp`));
    mkdirSync(join(fixture.commitDirectory, name(8)));
    symlinkSync(name(8), join(fixture.commitDirectory, 'current-tmp'));
    await fixture.open();
    expect(entries()).toEqual(['current', name(5)]);
    expect([fixture.commit.version, fixture.commit.snapshotVersion]).toEqual([8, 5]);
    await fixture.close();
    expect(existsSync(join(fixture.commitDirectory, 'LOCK'))).toBe(false);
  });

  it('refuses a changelog that does not join the snapshot', async () => {
    await fixture.open();
    await fixture.blocks(1, 300);
    await fixture.changelog.truncateBefore(200);
    expect(fixture.changelog.firstVersion).toBeGreaterThan(1);
    await expect(fixture.open()).rejects.toMatchObject({ code: 'STATE_COMMIT_CHANGELOG_GAP' });
  });

  it('refuses a changelog that ends below the snapshot', async () => {
    await fixture.open();
    await fixture.blocks(1, 9);
    await fixture.commit.snapshotNow();
    await fixture.changelog.rewind(7);
    await expect(fixture.open()).rejects.toMatchObject({ code: 'STATE_COMMIT_CHANGELOG_GAP' });
  });
});

describe('snapshots in the background', () => {
  it('are taken at the interval while blocks go on, and prune to those that are kept', async () => {
    await fixture.open({ snapshotInterval: 10, snapshotKeepRecent: 1 });
    const hashes: string[] = [];
    let taken = 0;
    for (let version = 1; version <= 400 && taken < 4; version++) {
      const before = fixture.commit.snapshotVersion;
      hashes.push(await fixture.block(blockAt(version)));
      if (fixture.commit.snapshotVersion !== before) taken++;
      // A turn for the worker's messages.
      await new Promise((resolve) => setImmediate(resolve));
    }
    while (fixture.commit.snapshotVersion < 10) await new Promise((resolve) => setImmediate(resolve));
    expect(hashes).toEqual(await run(hashes.length));
    await fixture.commit.snapshotNow();
    const { snapshotVersion, earliestSnapshotVersion } = fixture.commit;
    expect(readlinkSync(join(fixture.commitDirectory, 'current'))).toBe(name(snapshotVersion));
    expect(entries()).toEqual(['current', name(earliestSnapshotVersion), name(snapshotVersion)].sort());
    expect(hexOf((await fixture.open()).appHash)).toBe(hashes.at(-1));
  });

  it('hold the version they were asked for when the next block follows in the same turn', async () => {
    const commit = await fixture.open({ snapshotInterval: 5 });
    await fixture.blocks(1, 5);
    expect(hexOf(commit.apply(blockAt(6)))).toBe((await run(6))[5]);
    await fixture.changelog.append({ changes: blockAt(6), record: text('') });
    await commit.snapshotNow();
    await fixture.open();
    expect([fixture.commit.version, hexOf(fixture.commit.appHash)]).toEqual([6, (await run(6))[5]]);
  });

  it('are of the version at which they were asked for, though a block is run before it is logged', async () => {
    const commit = await fixture.open();
    await fixture.blocks(1, 5);
    const written = commit.snapshotNow();
    commit.apply(blockAt(6));
    await fixture.changelog.append({ changes: blockAt(6), record: text('') });
    await written;
    expect(commit.snapshotVersion).toBe(5);
  });

  it('wait for the least time between two', async () => {
    await fixture.open({ snapshotInterval: 1, snapshotMinSeconds: 3600 });
    await fixture.blocks(1, 5);
    await fixture.close();
    expect(entries()).toEqual(['current', name(0)]);
  });

  it('go on when the clock was set back', async () => {
    let now = Date.now() + 365 * 86_400_000;
    await fixture.open({ snapshotInterval: 5 }, { now: () => now });
    await fixture.blocks(1, 5);
    while (fixture.commit.snapshotVersion < 5) await new Promise((resolve) => setImmediate(resolve));
    now = Date.now();
    await fixture.blocks(6, 6);
    await fixture.commit.snapshotNow();
    await fixture.blocks(7, 15);
    while (fixture.commit.snapshotVersion < 15) await new Promise((resolve) => setImmediate(resolve));
  });

  it('are not taken of a block that is not durable', async () => {
    await fixture.open();
    fixture.commit.apply(blockAt(1));
    await expect(fixture.commit.snapshotNow()).rejects.toMatchObject({ code: 'STATE_COMMIT_NOT_DURABLE' });
  });

  it('leave nothing behind when the state is closed meanwhile', async () => {
    await fixture.open({ snapshotInterval: 5 });
    const hashes = await fixture.blocks(1, 5);
    await fixture.close();
    expect(entries().filter((entry) => entry.endsWith('-tmp'))).toEqual([]);
    expect(hexOf((await fixture.open()).appHash)).toBe(hashes.at(-1));
  });
});

describe('reads', () => {
  it('follow a map through snapshots and blocks', async () => {
    const key = fc
      .string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 3 })
      .map(text);
    const write = fc.tuple(key, fc.option(fc.uint8Array({ maxLength: 40 })));
    const step = fc.record({ writes: fc.array(write, { maxLength: 20 }), snapshot: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), key, key, async (steps, from, to) => {
        await fixture.end();
        fixture.begin();
        await fixture.open({ cacheBytes: 20_000 });
        const model = new Map<string, Uint8Array>();
        for (const [i, { writes, snapshot }] of steps.entries()) {
          const changes = writes.map(([k, value]) => ({ key: k, value }));
          await fixture.block({ version: i + 1, stores: [{ store: 'bank', changes }] });
          for (const [k, value] of writes) {
            if (value === null) model.delete(hexOf(k));
            else model.set(hexOf(k), value);
          }
          if (snapshot) await fixture.commit.snapshotNow();
        }
        const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        const read = (range = {}): [string, Uint8Array][] =>
          [...fixture.commit.iterate('bank', range)].map(([k, value]) => [hexOf(k), value]);
        expect(read()).toEqual(sorted);
        const within = sorted.filter(([k]) => k >= hexOf(from) && k < hexOf(to));
        expect(read({ start: from, end: to })).toEqual(within);
        expect(read({ start: from, end: to, reverse: true })).toEqual(within.toReversed());
        expect(fixture.commit.get('bank', from)).toEqual(model.get(hexOf(from)));
      }),
      { numRuns: 12 },
    );
  });

  it('refuse an unknown store, and an iterator that outlives its block', async () => {
    await fixture.open();
    expect(() => fixture.commit.get('gov', text('a'))).toThrowError(/no store "gov"/);
    expect(() => fixture.commit.apply({ version: 1, stores: [{ store: 'gov', changes: [] }] })).toThrowError(
      /no store "gov"/,
    );
    fixture.commit.apply(blockAt(1));
    const iterator = fixture.commit.iterate('bank')[Symbol.iterator]();
    iterator.next();
    fixture.commit.apply(blockAt(2));
    expect(() => iterator.next()).toThrowError(/had moved on/);
  });

  it('keep values longer than a memory segment', async () => {
    await fixture.open();
    const long = new Uint8Array(2_500_000).map((_, i) => i * 7);
    const changes = { version: 1, stores: [{ store: 'evm', changes: [{ key: text('code'), value: long }] }] };
    const hash = await fixture.block(changes);
    await fixture.blocks(2, 3);
    expect(hexOf(fixture.commit.get('evm', text('code'))!)).toBe(hexOf(long));
    await fixture.commit.snapshotNow();
    expect(hexOf(fixture.commit.get('evm', text('code'))!)).toBe(hexOf(long));
    expect(hash).toHaveLength(64);
  });
});

describe('what is refused', () => {
  it.each(['bank/kvs', 'bank/leaves', 'bank/nodes', 'bank/metadata', 'evm/leaves', '__metadata'])(
    'a snapshot whose %s is cut or missing',
    async (file) => {
      await fixture.open();
      await fixture.blocks(1, 20);
      await fixture.commit.snapshotNow();
      await fixture.close();
      const path = join(fixture.commitDirectory, name(20), file);
      truncateSync(path, 11);
      await expect(fixture.open()).rejects.toMatchObject({ code: 'STATE_COMMIT_SNAPSHOT_DAMAGED' });
      unlinkSync(path);
      const failure = await fixture.open().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'STATE_COMMIT_SNAPSHOT_DAMAGED', fields: { path } });
    },
  );

  it('a directory of another program, untouched', async () => {
    mkdirSync(fixture.commitDirectory);
    writeFileSync(join(fixture.commitDirectory, 'CURRENT-tmp'), 'x');
    writeFileSync(join(fixture.commitDirectory, 'MANIFEST'), 'x');
    await expect(fixture.open()).rejects.toMatchObject({ code: 'STATE_COMMIT_FOREIGN' });
    expect(entries()).toEqual(['CURRENT-tmp', 'MANIFEST']);
  });

  it('another set of stores', async () => {
    await fixture.open();
    await expect(fixture.open({ stores: ['bank'] })).rejects.toMatchObject({
      code: 'STATE_COMMIT_STORES_CHANGED',
    });
  });

  it('a version beyond 32 bits, a version out of turn', async () => {
    await fixture.open({ initialVersion: 2 ** 32 - 1 });
    await fixture.block({ version: 2 ** 32 - 1, stores: [] });
    expect(() => fixture.commit.apply({ version: 2 ** 32, stores: [] })).toThrowError(/versions end at/);
    expect(() => fixture.commit.apply({ version: 5, stores: [] })).toThrowError(/goes on at/);
  });

  it('a second opener', async () => {
    await fixture.open();
    await fixture.close();
    await fixture.open();
    const second = new StateCommitFixture({ directory: fixture.commitDirectory });
    second.begin();
    await expect(second.open()).rejects.toMatchObject({
      code: 'DIRECTORY_LOCKED',
      fields: { pid: process.pid },
    });
    await second.end();
  });
});

/** App hashes of the common history from a state that is never snapshotted. */
async function run(blocks: number): Promise<string[]> {
  await reference.end();
  reference.begin();
  await reference.open();
  return Array.from({ length: blocks }, (_, i) => hexOf(reference.commit.apply(blockAt(i + 1))));
}
