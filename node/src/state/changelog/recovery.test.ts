import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { isCodedError } from '@chain/platform';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt, fill, LogFixture, range, versionsOf } from './changelog.fixture.ts';

const hex = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'hex'));
const fixture = new LogFixture();
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());
const segmentFiles = (): string[] =>
  readdirSync(fixture.directory)
    .filter((name) => !name.startsWith('LOCK'))
    .sort();

describe('damage', () => {
  const last = (): string => join(fixture.directory, segmentFiles().at(-1)!);
  const flip = (path: string, offset: number): void => {
    const bytes = readFileSync(path);
    bytes[offset]! ^= 0x10;
    writeFileSync(path, bytes);
  };

  it('cuts a tail torn at any byte of the last record, and only that record', async () => {
    await fill(await fixture.open(), 1, 2);
    await fixture.close();
    const two = statSync(last()).size;
    await fill(await fixture.open(), 3, 3);
    await fixture.close();
    const whole = readFileSync(last());
    for (let size = whole.length - 1; size >= two; size--) {
      writeFileSync(last(), whole.subarray(0, size));
      expect((await fixture.open()).lastVersion).toBe(2);
      await fixture.close();
      expect(statSync(last()).size).toBe(two);
    }
    await fill(await fixture.open(), 3, 4);
    expect(versionsOf((await fixture.open()).read(1))).toEqual([1, 2, 3, 4]);
  });

  it('cuts a last record with any bit flipped', async () => {
    await fill(await fixture.open(), 1, 2);
    await fixture.close();
    const two = statSync(last()).size;
    await fill(await fixture.open(), 3, 3);
    await fixture.close();
    const whole = readFileSync(last());
    for (let offset = two; offset < whole.length; offset++) {
      writeFileSync(last(), whole);
      flip(last(), offset);
      expect((await fixture.open()).lastVersion).toBe(2);
      await fixture.close();
    }
  });

  it('cuts a torn record in which a user has hidden a whole one', async () => {
    const other = new LogFixture();
    other.begin();
    await fill(await other.open(), 1, 4);
    await other.close();
    const hidden = readFileSync(join(other.directory, '00000000000000000001'));
    await other.end();
    const log = await fixture.open();
    await fill(log, 1, 2);
    const { changes } = entryAt(3);
    await log.append({ changes, record: hidden });
    await fixture.close();
    truncateSync(last(), statSync(last()).size - 1);
    expect((await fixture.open()).lastVersion).toBe(2);
  });

  it('makes what a killed writer left in the page cache durable before anything builds on it', async () => {
    await fill(await fixture.open(), 1, 3);
    await fixture.close();
    const synced: string[] = [];
    const { fsyncSync } = fs;
    fs.fsyncSync = (handle) => {
      synced.push(readlinkSync(`/proc/self/fd/${handle}`));
      fsyncSync(handle);
    };
    syncBuiltinESMExports();
    try {
      await fixture.open();
    } finally {
      fs.fsyncSync = fsyncSync;
      syncBuiltinESMExports();
    }
    expect(synced).toContain(last());
  });

  it('names a damaged header of a segment that holds records', async () => {
    await fill(await fixture.open(), 1, 3);
    await fixture.close();
    const whole = readFileSync(last());
    for (let offset = 8; offset < 20; offset++) {
      writeFileSync(last(), whole);
      flip(last(), offset);
      const failure = await fixture.open().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'CHANGELOG_CORRUPT', fields: { path: last(), offset: 0 } });
    }
    expect(statSync(last()).size).toBe(whole.length);
    writeFileSync(last(), whole);
  });

  it('drops a newest segment whose creation was torn', async () => {
    await fill(await fixture.open(), 1, 3);
    await fixture.close();
    for (const content of ['', 'CHAIN', '\0\0\0\0\0\0\0\0\0\0']) {
      writeFileSync(join(fixture.directory, '00000000000000000004'), content);
      expect((await fixture.open()).lastVersion).toBe(3);
      await fixture.close();
      expect(segmentFiles()).toHaveLength(1);
    }
  });

  it('names file and offset of a bad record in the middle of the last segment', async () => {
    const log = await fixture.open();
    for (let version = 1; version <= 5; version++) await log.append(entryAt(version));
    await fixture.close();
    flip(last(), 30);
    const failure = await fixture.open().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CHANGELOG_CORRUPT', fields: { path: last(), offset: 20 } });
  });

  it('reports a bad record of an older segment when it is read', async () => {
    const log = await fixture.open(200);
    for (let version = 1; version <= 20; version++) await log.append(entryAt(version));
    await fixture.close();
    const first = join(fixture.directory, segmentFiles()[0]!);
    truncateSync(first, statSync(first).size - 1);
    expect(() => [...log.read(1)]).toThrowError(/damaged at offset/);
    const again = await fixture.open(200);
    expect(again.lastVersion).toBe(20);
    expect(() => [...again.read(1)]).toThrowError(/damaged at offset/);
  });

  it('reports a segment missing in the middle', async () => {
    const log = await fixture.open(200);
    for (let version = 1; version <= 20; version++) await log.append(entryAt(version));
    rmSync(join(fixture.directory, segmentFiles()[1]!));
    const again = await fixture.open(200);
    const failure = await Promise.resolve()
      .then(() => [...again.read(1)])
      .catch((error: unknown) => error);
    expect(isCodedError(failure, 'CHANGELOG_GAP')).toBe(true);
  });

  it('refuses files of another program untouched', async () => {
    const path = join(fixture.directory, '00000000000000000001');
    writeFileSync(path, hex('2b080112180a100a0e120568656c6c6f1a05776f726c64'));
    await expect(fixture.open()).rejects.toMatchObject({ code: 'CHANGELOG_FOREIGN' });
    expect(statSync(path).size).toBe(23);
    rmSync(path);
    writeFileSync(join(fixture.directory, 'MANIFEST-000001'), 'x');
    await expect(fixture.open()).rejects.toMatchObject({ code: 'CHANGELOG_FOREIGN' });
  });
});

describe('a killed writer', () => {
  it('loses no acknowledged entry', async () => {
    for (let round = 0; round < 5; round++) {
      const acknowledged = await killedAfter(fixture.directory, 20 + round * 37);
      const log = await fixture.open(2000);
      expect(log.lastVersion).toBeGreaterThanOrEqual(acknowledged);
      expect(versionsOf(log.read(1))).toEqual(range(1, log.lastVersion));
      await fixture.close();
    }
  });
});

/** Starts a process that appends without end and kills it after `acknowledgements` more of them. */
async function killedAfter(path: string, acknowledgements: number): Promise<number> {
  const program = join(import.meta.dirname, 'appendForever.fixture.ts');
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = 0;
  let seen = 0;
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) last = Number(line);
    seen += lines.length;
    if (seen >= acknowledgements) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  return last;
}
