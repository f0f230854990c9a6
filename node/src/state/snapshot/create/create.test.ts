import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { afterAll, describe, expect, it } from 'vitest';
import { isLockFile } from '../../changelog/index.ts';
import { openArchive } from '../archive/readArchive.ts';
import { writeArchive } from '../archive/writeArchive.ts';
import { SnapshotShelf } from '../shelf/snapshotShelf.ts';
import {
  BANK_ROWS,
  hexOf,
  latin1,
  noise,
  type Row,
  restoreAll,
  restorePointOf,
  SnapshotHomes,
  targetOf,
  withRestored,
} from '../snapshot.fixture.ts';
import { createSnapshot } from './createSnapshot.ts';
import { SnapshotSchedule } from './snapshotSchedule.ts';

const homes = new SnapshotHomes();
afterAll(() => homes.remove());

/** More than two chunks. */
const NOISE = noise(230);

const newShelf = (): SnapshotShelf => new SnapshotShelf(join(homes.fresh(), 'snapshots'));

function makeOn(shelf: SnapshotShelf, rows: readonly Row[]): Promise<Uint8Array> {
  return homes.withState({ bank: rows }, async (_commit, frozen) => {
    await createSnapshot({ frozen, restorePoint: restorePointOf(frozen), keepRecent: 0 }, { shelf });
    return frozen.appHash;
  });
}

describe('a snapshot', () => {
  it('is on the shelf, the same each time, in chunks of 10,000,000 bytes that restore', async () => {
    const [first, second] = [newShelf(), newShelf()];
    const appHash = await makeOn(first, NOISE);
    await makeOn(second, NOISE);
    const [snapshot] = first.list();
    expect(second.list()[0]!.description).toEqual(snapshot!.description);
    const { description, restorePoint, bytes } = snapshot!;
    expect(description).toMatchObject({ height: 2, format: 1, chunks: 3 });
    expect(restorePoint).toMatchObject({ chainId: 'test-1', blockRecord: Buffer.from('block') });
    const chunks = await Promise.all([0, 1, 2].map((index) => first.loadChunk(2, index)));
    expect(chunks.map(({ length }) => length)).toEqual([10_000_000, 10_000_000, bytes - 20_000_000]);
    const target = targetOf(homes.fresh(), { split: true });
    await restoreAll({ description, chunks }, target, appHash);
    await withRestored(target, async ({ store }) => {
      for (const { key, value } of NOISE) expect(Buffer.compare(store.get('bank', key, 2)!, value)).toBe(0);
    });
  });

  it('is made once a height, and never of a chain without a block', async () => {
    const shelf = newShelf();
    await makeOn(shelf, BANK_ROWS);
    await expect(makeOn(shelf, BANK_ROWS)).rejects.toMatchObject({ code: 'SNAPSHOT_EXISTS' });
    await homes.withCommit(async (commit) => {
      const { frozen, release } = commit.freeze();
      const options = { frozen, restorePoint: restorePointOf(frozen), keepRecent: 0 };
      await expect(createSnapshot(options, { shelf })).rejects.toMatchObject({ code: 'SNAPSHOT_FAILED' });
      release();
    });
  });

  it('waits for nobody: what is locked is refused, what is absent named, what is damaged said to be', async () => {
    const shelf = newShelf();
    const lock = shelf.lock();
    await expect(makeOn(shelf, BANK_ROWS)).rejects.toMatchObject({ code: 'DIRECTORY_LOCKED' });
    lock.release();
    await makeOn(shelf, BANK_ROWS);
    expect(() => shelf.read(7)).toThrow('there are: 2');
    await expect(shelf.loadChunk(2, 9)).rejects.toMatchObject({ code: 'SNAPSHOT_ABSENT' });
    writeFileSync(join(shelf.directory, '2/snapshot.pb'), 'x');
    expect(() => shelf.read(2)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_DAMAGED' }));
    expect(shelf.list()).toEqual([]);
    rmSync(join(shelf.directory, '2/snapshot.pb'));
    expect(() => shelf.read(2)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_DAMAGED' }));
  });
});

describe('a schedule', () => {
  it('replaces a snapshot of blocks that were rolled back', async () => {
    const shelf = newShelf();
    await makeOn(shelf, BANK_ROWS);
    await homes.withState({ bank: BANK_ROWS.slice(1) }, async (commit) => {
      const point = { chainId: 'test-1', appHash: commit.appHash, blockRecord: new Uint8Array(0) };
      const schedule = new SnapshotSchedule(
        { interval: 2, keepRecent: 2 },
        { shelf, freeze: () => commit.freeze(), logger: silentLogger },
      );
      schedule.onBlock(2, () => point);
      await schedule.idle();
      expect(hexOf(shelf.read(2).restorePoint.appHash)).toBe(hexOf(commit.appHash));
      await schedule.close();
    });
  });

  it('makes one every interval, keeps the newest, and leaves nothing half done when it is closed', async () => {
    const shelf = newShelf();
    mkdirSync(join(shelf.directory, '4-tmp/1'), { recursive: true });
    await homes.withCommit(async (commit) => {
      const point = () => ({ chainId: 'test-1', appHash: commit.appHash, blockRecord: new Uint8Array(0) });
      const schedule = new SnapshotSchedule(
        { interval: 5, keepRecent: 2 },
        { shelf, freeze: () => commit.freeze(), logger: silentLogger },
      );
      for (let version = 1; version <= 20; version++) {
        commit.apply({ version, stores: version === 1 ? [{ store: 'bank', changes: BANK_ROWS }] : [] });
        schedule.onBlock(version, point);
        await schedule.idle();
      }
      expect(shelf.heights()).toEqual([15, 20]);
      const kept = shelf.read(20).createdAt;
      schedule.onBlock(20, point);
      await schedule.idle();
      expect(shelf.read(20).createdAt).toBe(kept);
      for (let version = 21; version <= 25; version++) commit.apply({ version, stores: [] });
      schedule.onBlock(25, point);
      await schedule.close();
      schedule.onBlock(30, point);
      expect(shelf.heights()).toEqual([15, 20]);
      const left = readdirSync(shelf.directory).filter((name) => !isLockFile(name));
      expect(left.sort()).toEqual(['15', '20']);
    });
  });
});

describe('an archive', () => {
  it('carries a snapshot to another home, and goes on where an export was interrupted', async () => {
    const shelf = newShelf();
    const appHash = await makeOn(shelf, NOISE);
    const path = join(homes.root, 'whole.tar');
    const { bytes, resumedBytes } = await writeArchive({ height: 2, path }, shelf);
    expect(resumedBytes).toBe(0);
    const whole = readFileSync(path);
    expect(whole.length).toBe(bytes);
    for (const [length, damagedAt] of [
      [whole.length - 5_000, undefined],
      [15_000_000, undefined],
      [25_000_000, 12_000_000],
      [1, undefined],
    ] as const) {
      const again = join(homes.root, `again-${length}.tar`);
      writeFileSync(`${again}.part`, whole);
      truncateSync(`${again}.part`, length);
      if (damagedAt) {
        const part = readFileSync(`${again}.part`);
        part[damagedAt]! ^= 1;
        writeFileSync(`${again}.part`, part);
      }
      const resumed = await writeArchive({ height: 2, path: again }, shelf);
      expect(resumed.resumedBytes > 10_000_000).toBe(length > 10_000_000);
      expect(readFileSync(again).equals(whole)).toBe(true);
      expect(existsSync(`${again}.part`)).toBe(false);
    }
    await expect(writeArchive({ height: 2, path }, shelf)).rejects.toMatchObject({
      code: 'SNAPSHOT_ARCHIVE_EXISTS',
    });
    const archive = await openArchive(path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.chunks()) chunks.push(chunk);
    await archive.close();
    expect(hexOf(archive.restorePoint.appHash)).toBe(hexOf(appHash));
    await restoreAll({ description: archive.description, chunks }, targetOf(homes.fresh()), appHash);
  });

  it('that is cut short, damaged or no archive is refused by name', async () => {
    const shelf = newShelf();
    await makeOn(shelf, BANK_ROWS);
    const path = join(homes.root, 'damaged.tar');
    await writeArchive({ height: 2, path }, shelf);
    const whole = readFileSync(path);
    for (const path of [homes.root, join(homes.root, 'absent.tar')]) {
      await expect(openArchive(path)).rejects.toMatchObject({
        code: 'SNAPSHOT_ARCHIVE',
        message: expect.stringContaining(path),
      });
    }
    const read = async (): Promise<void> => {
      const archive = await openArchive(path);
      try {
        for await (const _chunk of archive.chunks());
      } finally {
        await archive.close();
      }
    };
    for (const bad of [
      whole.subarray(0, 700),
      whole.subarray(0, -1600),
      latin1('x'.repeat(2000)),
      latin1(''),
    ]) {
      writeFileSync(path, bad);
      await expect(read()).rejects.toMatchObject({
        code: 'SNAPSHOT_ARCHIVE',
        message: expect.stringContaining(path),
      });
    }
    rmSync(path);
    await expect(read()).rejects.toMatchObject({ code: 'SNAPSHOT_ARCHIVE' });
  });
});
