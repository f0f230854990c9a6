import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isWholeHome } from './wholeHome.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'whole-home-'));
});
afterEach(() => rm(home, { recursive: true }));

it('knows a home that is there, and refuses one of another chain', async () => {
  const given = join(home, 'given.json');
  await writeFile(given, '{"chain_id":"a"}');
  expect(await isWholeHome(home, { genesis: given })).toBe(false);
  await mkdir(join(home, 'config'));
  await writeFile(join(home, 'config/genesis.json'), '{"chain_id":"a"}');
  expect([await isWholeHome(home, { genesis: given }), await isWholeHome(home, {})]).toEqual([true, true]);
  await writeFile(given, '{"chain_id":"b"}');
  await expect(isWholeHome(home, { genesis: given })).rejects.toMatchObject({
    code: 'CONFIG_OTHER_CHAIN',
    message: expect.stringContaining('belongs to another chain'),
  });
});

it('goes by the digest where there is one, and fetches nothing then', async () => {
  const genesis = 'http://127.0.0.1:1/genesis.json';
  const text = '{"chain_id":"a"}';
  await mkdir(join(home, 'config'));
  await writeFile(join(home, 'config/genesis.json'), text);
  const genesisSha256 = createHash('sha256').update(text).digest('hex');
  expect(await isWholeHome(home, { genesis, genesisSha256 })).toBe(true);
  await expect(isWholeHome(home, { genesis, genesisSha256: '0'.repeat(64) })).rejects.toMatchObject({
    code: 'CONFIG_OTHER_CHAIN',
  });
  await expect(isWholeHome(home, { genesis })).rejects.toMatchObject({ code: 'CONFIG_GENESIS_DIGEST' });
});
