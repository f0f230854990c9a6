import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../loadConfig.ts';
import { DEFAULT_CHAIN_ID, initialiseHome } from './initialiseHome.ts';
import { keepLayout } from './layoutSettings.ts';

let home = '';
beforeEach(async () => {
  home = join(mkdtempSync(join(tmpdir(), 'layout-')), 'home');
  const chain = { chainId: DEFAULT_CHAIN_ID, mode: 'rpc', engine: 'embedded' } as const;
  await initialiseHome({ home, moniker: 'm', overwrite: false, ...chain });
});
afterEach(() => rmSync(join(home, '..'), { recursive: true }));

it('keeps in app.toml the layout that flags and the environment chose, and nothing else of theirs', async () => {
  const given = await loadConfig({
    home,
    flags: { 'state-store.evm-ss-split': 'true', 'evm.http_port': '9545' },
    environment: { CHAIND_STATE_STORE_SS_BACKEND: 'rocksdb' },
  });
  expect(await keepLayout(given)).toEqual(['state-store.ss-backend', 'state-store.evm-ss-split']);
  const { app } = await loadConfig({ home });
  expect(app['state-store']).toMatchObject({ 'ss-backend': 'rocksdb', 'evm-ss-split': true });
  expect(app.evm.http_port).toBe(8545);
  expect(await keepLayout(await loadConfig({ home }))).toEqual([]);
});
