import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderConfig } from './configFiles.ts';
import { initArguments } from './homeContainer.ts';
import { renderLimiter } from './limiterFile.ts';
import { createNodeKey, nodeIdOf } from './nodeKey.ts';
import { nodeOf } from './nodes.fixture.ts';

const CHAIND = resolve('node/bin/chaind.js');
const LIMITER = resolve('sidecars/rateLimiter/bin/chain-rate-limiter.js');
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'operator-home-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** As the containers run it, with the mounts in a directory. */
function run(program: string, args: readonly string[]): string {
  const placed = args.map((arg) => arg.replaceAll('/etc/chain', root));
  const { status, stdout, stderr } = spawnSync(process.execPath, [GENERAL_WRAPPERS, program, ...placed], {
    env: { ...process.env, CHAIND_HOME: join(root, 'home') },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return stdout;
}

it('the real programs take what is rendered for them', () => {
  const node = nodeOf({
    chain: {
      id: 'test-1',
      evmChainId: 77,
      genesis: { embedded: {} },
      engine: 'cometbft',
      home: join(root, 'home'),
    },
    stateStore: { evmSplit: true, directory: 'data/other' },
    legacyApis: ['chain_getEVMAddress'],
    peers: { static: [`${'a'.repeat(40)}@p2p.example.org:26656`], externalAddress: 'me.example.org:26656' },
    stateSync: { trust: { rpcServers: ['http://a:1', 'http://b:1'], period: '100h' } },
    config: {
      app: { mempool: { 'max-txs': 7 } },
      appToml: '[mempool]\nmax-txs-per-account = 3\n',
      comet: { consensus: { timeout_commit: '2s' } },
      cometToml: '[p2p]\nsend-rate = 9\n',
    },
    probes: { maxBlockAge: '0s' },
  });
  mkdirSync(join(root, 'config'));
  mkdirSync(join(root, 'keys'));
  const { appToml, configToml } = renderConfig({ node });
  writeFileSync(join(root, 'config/app.toml'), appToml);
  writeFileSync(join(root, 'config/config.toml'), configToml);
  const key = createNodeKey();
  writeFileSync(join(root, 'keys/node_key.json'), key);
  const made = run(CHAIND, [...initArguments(node), '--output', 'json']);
  expect(JSON.parse(made)).toMatchObject({ chainId: 'test-1', nodeId: nodeIdOf(key, 'key') });
  const shown = JSON.parse(run(CHAIND, ['config', 'show', '--output', 'json']));
  expect(shown.app['state-store']).toMatchObject({
    'evm-ss-split': true,
    'ss-db-directory': join(root, 'home/data/other'),
  });
  expect(shown.app.mempool).toMatchObject({ 'max-txs': 7, 'max-txs-per-account': 3 });
  expect(shown.app.evm).toMatchObject({
    address: '0.0.0.0',
    enabled_legacy_chain_apis: ['chain_getEVMAddress'],
  });
  expect(shown.config.base.moniker).toBe('rpc-0');
  expect(shown.config.p2p).toMatchObject({
    send_rate: 9,
    addr_book_strict: false,
    external_address: 'me.example.org:26656',
  });
  expect(shown.config.consensus.timeout_commit).toBe(2000);
  expect(shown.config.rpc.laddr).toBe('tcp://127.0.0.1:26667');
  expect(run(CHAIND, initArguments(node))).toContain('unchanged');
  expect(JSON.parse(readFileSync(join(root, 'home/config/genesis.json'), 'utf8')).chain_id).toBe('test-1');

  writeFileSync(join(root, 'limiter.toml'), renderLimiter(node));
  expect(run(LIMITER, ['check', '--config', join(root, 'limiter.toml')])).not.toBe('');
});
