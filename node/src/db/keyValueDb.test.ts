import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyValueDb, openMemoryDb } from './index.ts';
import { describeKeyValueDb } from './keyValueDbCompliance.ts';

let root: string;
let count = 0;
const freshDirectory = () => join(root, String(count++));
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chain-db-'));
});
afterAll(() => rm(root, { recursive: true }));

describeKeyValueDb('memory', async () => openMemoryDb());
describeKeyValueDb('LevelDB', () => openKeyValueDb({ backend: 'pebbledb', directory: freshDirectory() }));

describe('a database directory', () => {
  it('keeps its rows over a reopen', async () => {
    const directory = freshDirectory();
    const first = await openKeyValueDb({ backend: 'pebbledb', directory });
    await first.batch([{ type: 'put', key: Buffer.from('a'), value: Buffer.from('b') }]);
    await first.close();
    const second = await openKeyValueDb({ backend: 'pebbledb', directory });
    expect(second.get(Buffer.from('a'))).toEqual(Buffer.from('b'));
    await second.close();
  });

  it('never takes a synced batch before those written without sync are safe', async () => {
    const directory = freshDirectory();
    const db = await openKeyValueDb({ backend: 'pebbledb', directory });
    await db.batch([{ type: 'put', key: Buffer.from('a'), value: Buffer.from('1') }]);
    // A log that cannot be synced: it names itself.
    await symlink('loop.log', join(directory, 'loop.log'));
    const synced = db.batch([{ type: 'put', key: Buffer.from('b'), value: Buffer.from('2') }], {
      sync: true,
    });
    await expect(synced).rejects.toMatchObject({ code: 'DB_FAILED' });
    expect(db.get(Buffer.from('b'))).toBeUndefined();
    await db.close();
  });

  it('of a Pebble database is refused and left as it was', async () => {
    const directory = await mkdtemp(join(root, 'pebble-'));
    for (const name of ['OPTIONS-000003', '000004.sst', 'marker.format-version.000001.013']) {
      await writeFile(join(directory, name), name);
    }
    const before = await readdir(directory);
    await expect(openKeyValueDb({ backend: 'pebbledb', directory })).rejects.toMatchObject({
      code: 'DB_FOREIGN_DIRECTORY',
      message: expect.stringContaining('Pebble'),
    });
    expect(await readdir(directory)).toEqual(before);
    expect(await readFile(join(directory, '000004.sst'), 'utf8')).toBe('000004.sst');
  });

  it('is refused while it is open elsewhere', async () => {
    const directory = freshDirectory();
    const first = await openKeyValueDb({ backend: 'pebbledb', directory });
    await expect(openKeyValueDb({ backend: 'pebbledb', directory })).rejects.toMatchObject({
      code: 'DB_OPEN_FAILED',
    });
    await first.close();
  });

  it('is not made for a backend that this build lacks', async () => {
    const directory = freshDirectory();
    await expect(openKeyValueDb({ backend: 'rocksdb', directory })).rejects.toMatchObject({
      code: 'DB_BACKEND_ABSENT',
      message: expect.stringContaining('@nxtedition/rocksdb'),
    });
    expect(await readdir(root)).not.toContain(directory.split('/').at(-1));
  });
});
