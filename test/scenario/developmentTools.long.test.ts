import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, http, parseEther, publicActions, walletActions } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAnvil } from '../bench/peers.ts';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';

const [alice, bob] = [developmentAccount(0).address, developmentAccount(1).address];
const STRANGER = '0x00000000000000000000000000000000000057a9';
const OTHER = '0x00000000000000000000000000000000000057aa';
const [WORD_3, WORD_8] = [3, 8].map((value) => `0x${String(value).padStart(64, '0')}`);

/** viem as its users test with it: no key of its own. */
function testClient(url: string, mode: 'anvil' | 'hardhat') {
  const nativeCurrency = { name: 'token', symbol: 'TOKEN', decimals: 18 };
  const chain = { id: 713_714, name: 'chain', nativeCurrency, rpcUrls: { default: { http: [url] } } };
  return createTestClient({ chain, mode, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
}

describe('a development home in the hands of tools', () => {
  let root: string;
  let node: DevNode;
  const call = <T = unknown>(method: string, ...params: unknown[]) => rpcCall<T>(node.url, method, params);
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'development-'));
    node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 0 });
  });
  afterAll(async () => {
    await node?.kill9();
    rmSync(root, { recursive: true, force: true });
  });

  it.each(['anvil', 'hardhat'] as const)(
    'takes transactions out of the mempool, steps time, and begins anew, as %s does',
    async (mode) => {
      const client = testClient(node.url, mode);
      await call('evm_setAutomine', false);
      const waiting = await client.sendTransaction({ account: bob, to: STRANGER, value: 5n, gas: 21_000n });
      await client.dropTransaction({ hash: waiting });
      expect(await client.getTxpoolStatus()).toMatchObject({ pending: 0, queued: 0 });
      await client.sendTransaction({ account: bob, to: STRANGER, value: 5n, gas: 21_000n });
      await call('anvil_removePoolTransactions', alice);
      expect(await client.getTxpoolStatus()).toMatchObject({ pending: 1 });
      await call('anvil_removePoolTransactions', bob);
      expect(await client.getTxpoolStatus()).toMatchObject({ pending: 0 });
      await call('evm_setAutomine', true);
      await call('anvil_setBlockTimestampInterval', 1000);
      const first = await client.getBlock();
      for (let i = 0; i < 2; i++) await call('evm_mine');
      expect((await client.getBlock()).timestamp).toBe(first.timestamp + 2000n);
      expect(await call('anvil_removeBlockTimestampInterval')).toBe(true);
      await client.setCode({ address: STRANGER, bytecode: '0x6003' });
      await client.setBalance({ address: bob, value: 7n });
      await client.impersonateAccount({ address: STRANGER });
      await client.reset();
      expect(await client.getCode({ address: STRANGER })).toBeUndefined();
      expect(await client.getBalance({ address: bob })).toBeGreaterThan(parseEther('1'));
      expect(await client.getTransactionCount({ address: alice })).toBe(0);
      expect((await client.getBlock()).number).toBe(1n);
      await client.mine({ blocks: 1 });
      expect((await client.getBlock()).number).toBe(2n);
      const send = client.sendTransaction({ account: STRANGER, to: bob, gas: 21_000n });
      await expect(send).rejects.toThrow(/no key of/);
      const fork = client.reset({ jsonRpcUrl: 'http://127.0.0.1:1', blockNumber: 1n });
      await expect(fork).rejects.toThrow(/cannot fork/);
      await expect(client.setCoinbase({ address: bob })).rejects.toThrow(/fee collector/);
      await expect(client.setBlockGasLimit({ gasLimit: 1n })).rejects.toThrow(/max_gas/);
      await client.mine({ blocks: 1 });
    },
  );

  it('gives its accounts to anvil, and takes those of anvil', async () => {
    const anvil = await startAnvil('--chain-id', '713714');
    try {
      const theirs = <T = unknown>(method: string, ...params: unknown[]) =>
        rpcCall<T>(anvil.url, method, params);
      const look = (of: typeof call, address: string) =>
        Promise.all([
          of('eth_getBalance', address, 'latest'),
          of('eth_getTransactionCount', address, 'latest'),
          of('eth_getCode', address, 'latest'),
          of('eth_getStorageAt', address, WORD_3, 'latest'),
        ]);
      const edit = async (of: typeof call, address: string) => {
        await of('anvil_setBalance', address, '0xde0b6b3a7640001');
        await of('anvil_setNonce', address, '0x9');
        await of('anvil_setCode', address, '0x6001600055');
        await of('anvil_setStorageAt', address, WORD_3, WORD_8);
      };
      const expected = ['0xde0b6b3a7640001', '0x9', '0x6001600055', WORD_8];
      await edit(call, STRANGER);
      expect(await theirs('anvil_loadState', await call<string>('anvil_dumpState'))).toBe(true);
      expect(await look(theirs, STRANGER)).toEqual(expected);
      expect(await look(theirs, bob)).toEqual(await look(call, bob));
      await edit(theirs, OTHER);
      expect(await call('anvil_loadState', await theirs<string>('anvil_dumpState'))).toBe(true);
      expect(await look(call, OTHER)).toEqual(expected);
      const dumped = await call<string>('anvil_dumpState');
      await call('anvil_setNonce', OTHER, '0xa');
      await call('anvil_loadState', dumped);
      expect(await look(call, OTHER)).toEqual(expected);
      for (const bad of ['0x', '0x7b7d', '0x1f8b08', '0x7b226163636f756e7473223a7b223078223a317d7d']) {
        await expect(call('anvil_loadState', bad)).rejects.toMatchObject({ code: -32602 });
      }
    } finally {
      await anvil.stop();
    }
  });
});
