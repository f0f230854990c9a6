import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { initialiseHome, loadConfig } from '../config/index.ts';
import { stateCommitOptions } from './stateOptions.ts';

const root = mkdtempSync(join(tmpdir(), 'state-options-'));
afterAll(() => rmSync(root, { recursive: true }));

it('takes a write rate of 0 for no limit, and megabytes otherwise', async () => {
  const home = join(root, 'home');
  const identity = { moniker: 'm', chainId: 'options-1', evmChainId: 5n } as const;
  await initialiseHome({ home, ...identity, mode: 'rpc', engine: 'embedded', overwrite: false });
  const rateOf = async (flags: Record<string, string>): Promise<number | undefined> => {
    const { app } = await loadConfig({ home, flags });
    return stateCommitOptions({ home, config: app, initialHeight: 1 }).snapshotBytesPerSecond;
  };
  expect(await rateOf({ 'state-commit.sc-snapshot-write-rate-mbps': '0' })).toBe(0);
  expect(await rateOf({ 'state-commit.sc-snapshot-write-rate-mbps': '7' })).toBe(7_000_000);
});
