import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt, fill, LogFixture, range, versionsOf } from './changelog.fixture.ts';
import { lockHolder, openChangelog } from './index.ts';

const APPENDER = new URL('./appendForever.fixture.ts', import.meta.url).pathname;
const fixture = new LogFixture();
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());
const segmentFiles = (): string[] =>
  readdirSync(fixture.directory)
    .filter((name) => !name.startsWith('LOCK'))
    .sort();

describe('the log', () => {
  it('is empty at first and then begins at whatever version is appended', async () => {
    const log = await fixture.open();
    expect([log.firstVersion, log.lastVersion]).toEqual([0, 0]);
    expect(versionsOf(log.read(1))).toEqual([]);
    await log.append(entryAt(41));
    expect([log.firstVersion, log.lastVersion]).toEqual([41, 41]);
  });

  it('reads back over segments and after reopening', async () => {
    await fill(await fixture.open(200), 5, 20);
    await fill(await fixture.open(200), 21, 40);
    const log = await fixture.open(200);
    expect(segmentFiles().length).toBeGreaterThan(1);
    expect(segmentFiles()[0]).toBe('00000000000000000005');
    expect([log.firstVersion, log.lastVersion]).toEqual([5, 40]);
    expect([...log.read(5)]).toEqual(range(5, 40).map((version) => entryAt(version)));
    expect(versionsOf(log.read(17, 23))).toEqual(range(17, 23));
    expect(versionsOf(log.read(41))).toEqual([]);
    await fill(log, 41, 45);
    expect(versionsOf(log.read(39))).toEqual(range(39, 45));
  });

  it('refuses a version that leaves a gap or repeats', async () => {
    const log = await fixture.open();
    await log.append(entryAt(7));
    await expect(log.append(entryAt(9))).rejects.toMatchObject({ code: 'CHANGELOG_GAP' });
    await expect(log.append(entryAt(7))).rejects.toMatchObject({ code: 'CHANGELOG_GAP' });
    await log.append(entryAt(8));
    expect(log.lastVersion).toBe(8);
  });

  it('drops whole segments below a version, never one that holds it', async () => {
    const log = await fixture.open(200);
    await fill(log, 1, 12);
    for (let version = 13; version <= 40; version++) await log.append(entryAt(version));
    await log.truncateBefore(21);
    expect(log.firstVersion).toBeLessThanOrEqual(21);
    expect(log.firstVersion).toBeGreaterThan(1);
    expect(versionsOf(log.read(21))).toEqual(range(21, 40));
    expect(() => [...log.read(1)]).toThrowError(/below the changelog/);
    await log.truncateBefore(1000);
    expect(log.lastVersion).toBe(40);
    expect((await fixture.open(200)).lastVersion).toBe(40);
  });

  it('drops versions above a version and goes on from there', async () => {
    const log = await fixture.open(200);
    for (let version = 3; version <= 40; version++) await log.append(entryAt(version));
    await log.rewind(17);
    expect(log.lastVersion).toBe(17);
    await log.append(entryAt(18, 33));
    expect([...log.read(18)]).toEqual([entryAt(18, 33)]);
    const again = await fixture.open(200);
    expect(versionsOf(again.read(3))).toEqual(range(3, 18));
    await again.reset();
    expect([again.firstVersion, again.lastVersion]).toEqual([0, 0]);
    await again.append(entryAt(90));
    expect((await fixture.open(200)).firstVersion).toBe(90);
  });

  it('keeps reporting a failed write', async () => {
    const log = await fixture.open(1);
    await log.append(entryAt(1));
    writeFileSync(join(fixture.directory, '00000000000000000002'), 'in the way');
    await expect(log.append(entryAt(2))).rejects.toMatchObject({ code: 'CHANGELOG_WRITE_FAILED' });
    rmSync(join(fixture.directory, '00000000000000000002'));
    await expect(log.append(entryAt(3))).rejects.toMatchObject({ code: 'CHANGELOG_WRITE_FAILED' });
    expect(log.lastVersion).toBe(1);
  });
});

/** A process that has the log of a directory open. */
async function lockedElsewhere(directory: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, APPENDER, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('the lock', () => {
  it('refuses a second opener and names the process', async () => {
    await fixture.open();
    await expect(
      openChangelog({ directory: fixture.directory }, { logger: silentLogger }),
    ).rejects.toMatchObject({
      code: 'DIRECTORY_LOCKED',
      fields: { pid: process.pid },
    });
  });

  it('takes over a lock whose process is gone, whatever process has its id now', async () => {
    for (const stale of ['999999999 gone', `${process.pid} ${hostname()}`, '']) {
      writeFileSync(join(fixture.directory, 'LOCK'), stale);
      expect(lockHolder(fixture.directory)).toBeUndefined();
      expect((await fixture.open()).lastVersion).toBe(0);
      expect(lockHolder(fixture.directory)).toBe(process.pid);
      await fixture.close();
      expect(lockHolder(fixture.directory)).toBeUndefined();
      expect(existsSync(join(fixture.directory, 'LOCK'))).toBe(false);
    }
  });

  it('keeps out a process that sees other process ids, as in another container, until it is killed', async () => {
    const owner = await lockedElsewhere(fixture.directory);
    try {
      // Nobody here has that id.
      writeFileSync(join(fixture.directory, 'LOCK'), '999999999 another-host');
      await expect(fixture.open()).rejects.toMatchObject({
        code: 'DIRECTORY_LOCKED',
        message: expect.stringContaining('process 999999999 on host another-host'),
      });
    } finally {
      owner.kill('SIGKILL');
    }
    await once(owner, 'exit');
    expect((await fixture.open()).lastVersion).toBeGreaterThan(0);
  });
});
