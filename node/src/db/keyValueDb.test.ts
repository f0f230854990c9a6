import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableBackends, openKeyValueDb, openMemoryDb } from './index.ts';
import { describeKeyValueDb } from './keyValueDbCompliance.ts';

let root: string;
let count = 0;
const freshDirectory = () => join(root, String(count++));
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chain-db-'));
});
afterAll(() => rm(root, { recursive: true }));

const DISK_BACKENDS = availableBackends();

describeKeyValueDb('memory', async () => openMemoryDb());
for (const backend of DISK_BACKENDS) {
  describeKeyValueDb(backend, () => openKeyValueDb({ backend, directory: freshDirectory() }));
}

describe.each(DISK_BACKENDS)('a database directory of %s', (backend) => {
  const other = backend === 'pebbledb' ? 'rocksdb' : 'pebbledb';

  it('keeps its rows over a reopen', async () => {
    const directory = freshDirectory();
    const first = await openKeyValueDb({ backend, directory });
    await first.batch([{ type: 'put', key: Buffer.from('a'), value: Buffer.from('b') }]);
    await first.close();
    const second = await openKeyValueDb({ backend, directory });
    expect(second.get(Buffer.from('a'))).toEqual(Buffer.from('b'));
    await second.close();
  });

  it('of a Pebble database is refused and left as it was', async () => {
    const directory = await mkdtemp(join(root, 'pebble-'));
    for (const name of ['OPTIONS-000003', '000004.sst', 'marker.format-version.000001.013']) {
      await writeFile(join(directory, name), name);
    }
    const before = await readdir(directory);
    await expect(openKeyValueDb({ backend, directory })).rejects.toMatchObject({
      code: 'DB_FOREIGN_DIRECTORY',
      message: expect.stringContaining('Pebble'),
    });
    expect(await readdir(directory)).toEqual(before);
    expect(await readFile(join(directory, '000004.sst'), 'utf8')).toBe('000004.sst');
  });

  it('of the other engine is refused and left as it was', async () => {
    const directory = freshDirectory();
    const first = await openKeyValueDb({ backend: other, directory });
    await first.batch([{ type: 'put', key: Buffer.from('a'), value: Buffer.from('b') }]);
    await first.close();
    await expect(openKeyValueDb({ backend, directory })).rejects.toMatchObject({
      code: 'DB_OTHER_ENGINE',
      message: expect.stringContaining(`ss-backend = "${other}"`),
    });
    const again = await openKeyValueDb({ backend: other, directory });
    expect(again.has(Buffer.from('a'))).toBe(true);
    await again.close();
  });

  it('that a crash left with a marker half written is taken', async () => {
    const directory = freshDirectory();
    await mkdir(directory);
    await writeFile(join(directory, 'CHAIN_DB.tmp'), '');
    await (await openKeyValueDb({ backend, directory })).close();
  });

  it('is refused while it is open elsewhere', async () => {
    const directory = freshDirectory();
    const first = await openKeyValueDb({ backend, directory });
    await expect(openKeyValueDb({ backend, directory })).rejects.toMatchObject({
      code: 'DB_OPEN_FAILED',
    });
    await first.close();
  });

  it('gives what was written, and synced, to whoever opens it after a kill', async () => {
    const directory = freshDirectory();
    const written = await writeUntilKilled(backend, directory);
    const db = await openKeyValueDb({ backend, directory });
    for (let i = 0; i <= written; i++) expect(db.get(Buffer.from(`key ${i}`))).toEqual(Buffer.alloc(500, i));
    await db.close();
  });
});

/** The number of the last batch that a child process reported before it was killed. */
async function writeUntilKilled(backend: string, directory: string): Promise<number> {
  const program = fileURLToPath(new URL('./writeForever.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, program, backend, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last >= 200) child.kill('SIGKILL');
  }
  return last;
}

describe('LevelDB', () => {
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
});

describe('RocksDB', () => {
  it('writes what was asked for before it closes, and nothing after', {
    skip: !DISK_BACKENDS.includes('rocksdb'),
    meta: { needs: 'the package @nxtedition/rocksdb, which has native code for Linux on x64 alone' },
  }, async () => {
    const directory = freshDirectory();
    const db = await openKeyValueDb({ backend: 'rocksdb', directory });
    const key = (i: number) => Buffer.from(`key ${i}`);
    const writes = Array.from({ length: 50 }, (_, i) =>
      db.batch([{ type: 'put', key: key(i), value: key(i) }], { sync: i % 2 === 0 }),
    );
    await Promise.all([db.close(), ...writes]);
    await expect(db.batch([])).rejects.toMatchObject({ code: 'DB_CLOSED' });
    const again = await openKeyValueDb({ backend: 'rocksdb', directory });
    expect(await again.getMany(writes.map((_, i) => key(i)))).toEqual(writes.map((_, i) => key(i)));
    await again.close();
  });

  it('is available on the platforms that its package has native code for', () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') return;
    expect(DISK_BACKENDS).toEqual(['pebbledb', 'rocksdb']);
  });

  it('is refused where its package does not load, before a directory is made', async () => {
    const program = fileURLToPath(new URL('./openWithoutPackage.fixture.ts', import.meta.url));
    const directory = freshDirectory();
    const { stdout } = await promisify(execFile)(process.execPath, [GENERAL_WRAPPERS, program, directory]);
    expect(JSON.parse(stdout)).toEqual({
      available: ['pebbledb'],
      code: 'DB_BACKEND_ABSENT',
      message: expect.stringMatching(/package @nxtedition\/rocksdb .*; set ss-backend = "pebbledb"/),
    });
    expect(await readdir(root)).not.toContain(directory.split('/').at(-1));
  });
});
