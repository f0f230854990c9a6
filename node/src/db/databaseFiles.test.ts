import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLevelDb } from './levelDb.ts';
import { availableBackends, openKeyValueDb } from './openKeyValueDb.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'level-db-files-'));
});
afterEach(() => rm(directory, { recursive: true }));

const key = Buffer.from('key');
const put = (value: Uint8Array) => [{ type: 'put', key, value }] as const;

it('opens with the settings that it is given', async () => {
  const db = await openLevelDb({ directory, writeBufferBytes: 32 << 20 });
  for (let i = 0; i < 6; i++) await db.batch(put(Buffer.alloc(2 << 20, i)));
  expect((await readdir(directory)).filter((name) => name.endsWith('.ldb'))).toEqual([]);
  await db.close();
});

describe.each(availableBackends())('a directory of %s', (backend) => {
  it('begins anew where a crash left a database half made', async () => {
    await (await openKeyValueDb({ backend, directory })).close();
    for (const name of await readdir(directory)) {
      if (name.startsWith('MANIFEST')) await writeFile(join(directory, name), '');
    }
    await writeFile(join(directory, 'CHAIN_DB.new'), '');
    const db = await openKeyValueDb({ backend, directory });
    await db.batch(put(key), { sync: true });
    await db.close();
    expect(await readdir(directory)).not.toContain('CHAIN_DB.new');
    const again = await openKeyValueDb({ backend, directory });
    expect(again.get(key)).toEqual(key);
    await again.close();
  });

  it('is refused, and not begun anew, when CURRENT is lost', async () => {
    const db = await openKeyValueDb({ backend, directory });
    await db.batch(put(key), { sync: true });
    await db.close();
    await rm(join(directory, 'CURRENT'));
    await expect(openKeyValueDb({ backend, directory })).rejects.toMatchObject({
      code: 'DB_DAMAGED',
      message: expect.stringMatching(/lost its file CURRENT; restore the directory from a backup/),
    });
  });

  it.each(['', '\n', 'MANIFEST-9\n', '.\n'])('is refused when CURRENT says %j', async (said) => {
    await (await openKeyValueDb({ backend, directory })).close();
    await writeFile(join(directory, 'CURRENT'), said);
    await expect(openKeyValueDb({ backend, directory })).rejects.toThrow(/restore/);
  });
});
