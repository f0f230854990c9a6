import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stampEngine } from './engineStamp.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'engine-stamp-'));
});
afterEach(() => rm(home, { recursive: true }));

it('ties the data to its first engine', async () => {
  await stampEngine(home, 'embedded');
  await stampEngine(home, 'embedded');
  await expect(stampEngine(home, 'cometbft')).rejects.toMatchObject({ code: 'APP_ENGINE_CHANGED' });
  expect(await readFile(join(home, 'data/engine'), 'utf8')).toBe('embedded\n');
});

it('never replaces a stamp that cannot be read', async () => {
  await mkdir(join(home, 'data'));
  await symlink('engine', join(home, 'data/engine'));
  await expect(stampEngine(home, 'cometbft')).rejects.toMatchObject({ code: 'ELOOP' });
});
