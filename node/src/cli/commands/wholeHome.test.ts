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
  expect(await isWholeHome(home, given)).toBe(false);
  await mkdir(join(home, 'config'));
  await writeFile(join(home, 'config/genesis.json'), '{"chain_id":"a"}');
  expect([await isWholeHome(home, given), await isWholeHome(home, undefined)]).toEqual([true, true]);
  await writeFile(given, '{"chain_id":"b"}');
  await expect(isWholeHome(home, given)).rejects.toMatchObject({
    code: 'CONFIG_OTHER_CHAIN',
    message: expect.stringContaining('belongs to another chain'),
  });
});
