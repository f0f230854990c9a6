import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';

const root = mkdtempSync(join(tmpdir(), 'genesis-'));
const home = join(root, 'home');
let node: DevNode | undefined;

afterAll(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

it('starts from the accounts, balances, code and storage of docs/guides/genesis.md', async () => {
  execFileSync(process.execPath, ['node/bin/chaind.js', 'init', 'example', '--home', home]);
  const path = join(home, 'config/genesis.json');
  const guide = readFileSync('docs/guides/genesis.md', 'utf8');
  const appState = JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)![1]!) as unknown;
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), app_state: appState }));

  node = await startDevNode({ home, args: ['--set', 'node.development=true'] });
  const ask = (method: string, ...params: unknown[]) => rpcCall(node!.url, method, [...params, 'latest']);
  expect(await rpcCall(node.url, 'net_version')).toBe('424242');
  expect(await ask('eth_getBalance', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe(
    '0x21e19e0c9bab2400000',
  );
  expect(await ask('eth_getBalance', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toBe(
    '0x4563918244f40000',
  );
  const contract = '0x00000000000000000000000000000000000c0de0';
  expect(await ask('eth_getCode', contract)).toBe('0x5f355f5500');
  expect(await ask('eth_getTransactionCount', contract)).toBe('0x1');
  expect(await ask('eth_getStorageAt', contract, '0x0')).toBe(`0x${'2a'.padStart(64, '0')}`);
});
