import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_CHAIN_ID, initialiseHome, loadConfig } from '../config/index.ts';
import { openState, type State } from './openState.ts';

let home: string;
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'open-state-')), 'home');
});
afterEach(() => rmSync(join(home, '..'), { recursive: true }));

/** Opens the state of a new home with `sc-flatkv` from its file or as given, and closes it. */
async function opened(flatKv?: string): Promise<State> {
  await initialiseHome({
    home,
    moniker: 'test',
    chainId: DEFAULT_CHAIN_ID,
    evmChainId: 713_714n,
    mode: 'rpc',
    engine: 'embedded',
    overwrite: false,
    accounts: [],
  });
  const flags: Record<string, string> = flatKv === undefined ? {} : { 'state-commit.sc-flatkv': flatKv };
  const { app: config } = await loadConfig({ home, flags });
  const lifecycle = new Lifecycle();
  const deps = { lifecycle, logger: silentLogger, metrics: createMetricsRegistry() };
  const state = await openState({ home, config, initialHeight: 1 }, deps);
  await lifecycle.close();
  return state;
}

it('opens FlatKV unless it is switched off', async () => {
  const { flatKv } = await opened();
  expect(flatKv?.version).toBe(0);
  expect(existsSync(join(home, DATA_DIRS.flatKv, 'working/account'))).toBe(true);
});

it('leaves no directory when FlatKV is off', async () => {
  const { flatKv } = await opened('off');
  expect(flatKv).toBeUndefined();
  expect(existsSync(join(home, DATA_DIRS.memiavl))).toBe(true);
  expect(existsSync(join(home, DATA_DIRS.flatKv))).toBe(false);
});
