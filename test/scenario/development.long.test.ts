import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  verifyMessage,
  verifyTypedData,
  walletActions,
} from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyState } from '../../node/src/app/index.ts';
import { developmentAccount } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const { Counter, Token } = compileContracts();
const [alice, bob] = [developmentAccount(0).address, developmentAccount(1).address];
const STRANGER = '0x00000000000000000000000000000000000057a9';
const CHAIN = {
  id: 713_714,
  name: 'chain',
  nativeCurrency: { name: 'token', symbol: 'TOKEN', decimals: 18 },
};
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** viem as its users test with it: no key of its own. */
function testClient(url: string, mode: 'anvil' | 'hardhat') {
  const chain = { ...CHAIN, rpcUrls: { default: { http: [url] } } };
  return createTestClient({ chain, mode, transport: http(url, { timeout: 60_000 }), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
}

describe.each([{ split: false }, { split: true }])('a development home (split $split)', ({ split }) => {
  let root: string;
  let node: DevNode;
  const start = (...args: readonly string[]) =>
    startDevNode({ home: join(root, 'home'), split, blockTimeMs: 0, args });
  const call = <T = unknown>(method: string, ...params: unknown[]) => rpcCall<T>(node.url, method, params);

  /** Ends the process without a word, and starts it again on what is on disk. */
  async function crash(): Promise<void> {
    await node.kill9();
    node = await start();
  }

  async function checkEdited(address: Hex): Promise<void> {
    const client = testClient(node.url, 'anvil');
    expect(await client.getBalance({ address })).toBe(parseEther('7.5'));
    expect(await client.getTransactionCount({ address })).toBe(9);
    expect(await client.getCode({ address })).toBe('0x6001600055');
    expect(await client.getStorageAt({ address, slot: word(3) })).toBe(word(8));
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'development-'));
    node = await start();
  });
  afterAll(async () => {
    await node?.kill9();
    rmSync(root, { recursive: true, force: true });
  });
  afterEach(() => call('evm_setAutomine', true));

  it('hosts the ten accounts, and signs with them what wallets sign', async () => {
    const accounts = await call<Hex[]>('eth_accounts');
    expect(accounts).toHaveLength(10);
    expect(accounts[0]).toBe(alice.toLowerCase());
    const client = testClient(node.url, 'anvil');
    const message = 'hello';
    const signature = await client.signMessage({ account: bob, message });
    expect(await verifyMessage({ address: bob, message, signature })).toBe(true);
    const data = {
      domain: { name: 'Ether Mail', chainId: 713_714 },
      types: {
        Person: [{ name: 'wallet', type: 'address' }],
        Mail: [
          { name: 'to', type: 'Person[]' },
          { name: 'text', type: 'string' },
        ],
      },
      primaryType: 'Mail',
      message: { to: [{ wallet: alice }], text: 'hi' },
    } as const;
    const typed = await client.signTypedData({ account: bob, ...data });
    expect(await verifyTypedData({ address: bob, ...data, signature: typed })).toBe(true);
    expect(await call('eth_sign', bob, '0x68656c6c6f')).toBe(signature);
    await expect(call('eth_sign', STRANGER, '0x00')).rejects.toThrow(/no key of 0x0+57a9 here/);
  });

  it('sends for hosted accounts; the receipt is there when the hash is', async () => {
    const hash = await call<Hex>('eth_sendTransaction', { from: alice, data: Counter.bytecode });
    const receipt = await call<{ contractAddress: Hex; status: Hex }>('eth_getTransactionReceipt', hash);
    expect(receipt.status).toBe('0x1');
    const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' });
    const both = await Promise.all(
      [1, 2].map(() =>
        call<Hex>('eth_sendTransaction', { from: alice, to: receipt.contractAddress, data: increment }),
      ),
    );
    expect(new Set(both).size).toBe(2);
    const count = encodeFunctionData({ abi: Counter.abi, functionName: 'count' });
    expect(await call('eth_call', { to: receipt.contractAddress, data: count })).toBe(word(2));
    const { raw } = await call<{ raw: Hex }>('eth_signTransaction', { from: bob, to: alice, value: '0x1' });
    expect(await call('eth_getTransactionReceipt', await call('eth_sendRawTransaction', raw))).toBeDefined();
  });

  it.each([
    { mode: 'anvil', address: STRANGER },
    { mode: 'hardhat', address: '0x00000000000000000000000000000000000057aa' },
  ] as const)('viem sets state as with $mode', async ({ mode, address }) => {
    const client = testClient(node.url, mode);
    await client.setBalance({ address, value: parseEther('7.5') });
    await client.setNonce({ address, nonce: 9 });
    await client.setCode({ address, bytecode: '0x6001' });
    await client.setCode({ address, bytecode: '0x' });
    expect(await client.getCode({ address })).toBeUndefined();
    await client.setCode({ address, bytecode: '0x6001600055' });
    await client.setStorageAt({ address, index: 3, value: word(8) });
    await checkEdited(address);
  });

  it('sends in the name of a contract, traces it, and refuses it again afterwards', async () => {
    const client = testClient(node.url, 'anvil');
    const { contractAddress } = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ account: alice, ...Token, args: ['Gold', 'GLD'] } as never),
    });
    const from = contractAddress!;
    await client.setBalance({ address: from, value: parseEther('1') });
    await expect(client.sendTransaction({ account: from, to: bob, value: 5n })).rejects.toThrow(/no key of/);
    await client.impersonateAccount({ address: from });
    const before = await client.getBalance({ address: bob });
    const hash = await client.sendTransaction({ account: from, to: bob, value: 5n });
    expect((await client.getTransaction({ hash })).from).toBe(from.toLowerCase());
    expect(await client.getBalance({ address: bob })).toBe(before + 5n);
    const trace = await call('debug_traceTransaction', hash, { tracer: 'callTracer' });
    expect(trace).toMatchObject({ from: from.toLowerCase(), to: bob.toLowerCase(), value: '0x5' });
    await client.stopImpersonatingAccount({ address: from });
    await expect(client.sendTransaction({ account: from, to: bob, value: 5n })).rejects.toThrow(/no key of/);
    const raw = await call('eth_getRawTransactionByHash', hash);
    await expect(call('eth_sendRawTransaction', raw)).rejects.toThrow(/invalid transaction v, r, s/);
    await call('anvil_autoImpersonateAccount', true);
    await client.sendTransaction({ account: from, to: bob, value: 5n });
    await call('anvil_autoImpersonateAccount', false);
    const { receipts } = { receipts: await call<unknown[]>('eth_getBlockReceipts', 'latest') };
    expect(receipts).toMatchObject([{ from: from.toLowerCase() }]);
  });

  it('mines on demand, and moves time', async () => {
    const client = testClient(node.url, 'hardhat');
    await client.setAutomine(false);
    const hash = await client.sendTransaction({ account: alice, to: bob, value: 1n });
    expect(await call('eth_getTransactionReceipt', hash)).toBeNull();
    const number = await client.getBlockNumber();
    await client.mine({ blocks: 3, interval: 60 });
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(number + 3n);
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: number + 1n });
    const times = await Promise.all(
      [1n, 2n, 3n].map(async (i) => (await client.getBlock({ blockNumber: number + i })).timestamp),
    );
    expect([times[1]! - times[0]!, times[2]! - times[1]!]).toEqual([60n, 60n]);
    const chosen = times[2]! + 1000n;
    await client.setNextBlockTimestamp({ timestamp: chosen });
    // An edit has a block of its own and leaves the time to the block that was meant.
    await client.setBalance({ address: '0x00000000000000000000000000000000000057ab', value: 1n });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).timestamp).toBe(chosen);
    await client.increaseTime({ seconds: 5000 });
    await call('evm_mine');
    const { timestamp } = await client.getBlock();
    expect(timestamp).toBeGreaterThanOrEqual(chosen + 5000n);
    await expect(call('evm_setNextBlockTimestamp', 1)).rejects.toThrow(/not later than the last/);
  });

  it('takes blocks back to a snapshot, with all that was in them, also over a crash behind it', async () => {
    const client = testClient(node.url, 'hardhat');
    const { contractAddress: to } = await client.getTransactionReceipt({
      hash: await client.sendTransaction({ account: alice, data: Counter.bytecode }),
    });
    const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' });
    const look = () =>
      Promise.all([
        call('eth_getBlockByNumber', 'latest', true),
        call('eth_getBalance', alice, 'latest'),
        call('eth_getTransactionCount', alice, 'pending'),
        call('eth_getStorageAt', to, '0x0', 'latest'),
        call('eth_getCode', STRANGER, 'latest'),
        // A job of a worker thread, which has read ahead.
        call('debug_traceCall', { to, data: increment, from: alice }, 'latest', { tracer: 'prestateTracer' }),
      ]);
    const outer = await look();
    const filter = await call('eth_newBlockFilter');
    const id = await client.snapshot();
    let hash: Hex | undefined;
    const { number: base } = await client.getBlock();
    for (let round = 0; round < 2; round++) {
      const before = await look();
      const { number, timestamp } = await client.getBlock();
      const inner = await client.snapshot();
      await client.increaseTime({ seconds: 100_000 });
      hash = await client.sendTransaction({ account: alice, to: to!, data: increment, gas: 100_000n });
      expect((await client.getTransactionReceipt({ hash })).status).toBe('success');
      await client.setCode({ address: STRANGER, bytecode: '0x6002' });
      expect(await look()).not.toEqual(before);
      expect(await call('evm_revert', inner)).toBe(true);
      expect(await look()).toEqual(before);
      expect(await call('eth_getTransactionReceipt', hash)).toBeNull();
      expect(await call('eth_getTransactionByHash', hash)).toBeNull();
      await client.mine({ blocks: 1 });
      const next = await client.getBlock();
      expect(next.number).toBe(number + 1n);
      expect(next.timestamp - timestamp).toBeLessThan(50_000n);
      expect(await call('eth_getFilterChanges', filter)).toEqual([next.hash]);
    }
    expect(await call('evm_revert', id)).toBe(true);
    expect(await call('evm_revert', id)).toBe(false);
    expect(await look()).toEqual(outer);
    await crash();
    expect(await look()).toEqual(outer);
    // The key signs these heights again.
    await call('evm_mine');
    expect((await testClient(node.url, 'hardhat').getBlock()).number).toBe(base + 1n);
  });

  it('makes blocks at an interval, and stops', async () => {
    await call('evm_setIntervalMining', 20);
    const height = async () => Number(await call<Hex>('eth_blockNumber'));
    const before = await height();
    await until('three blocks', async () => (await height()) > before + 3);
    expect(await call('anvil_getAutomine')).toBe(false);
    await call('evm_setIntervalMining', 0);
    await call('evm_mine');
    const after = await height();
    await call('evm_mine', { blocks: 2 });
    expect(await height()).toBe(after + 2);
    await call('evm_setAutomine', true);
    expect(await call('hardhat_getAutomine')).toBe(true);
  });

  it('sets the base fee of the next block, down to nothing', async () => {
    const client = testClient(node.url, 'hardhat');
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 5_000_000_000n });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).baseFeePerGas).toBe(5_000_000_000n);
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 0n });
    await client.sendTransaction({ account: alice, to: bob, value: 1n, gasPrice: 0n });
    expect((await client.getBlock()).baseFeePerGas).toBe(0n);
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n });
  });

  it('keeps edits, impersonated transactions and the time over a crash', async () => {
    const { hash, timestamp } = await testClient(node.url, 'anvil').getBlock();
    await crash();
    const client = testClient(node.url, 'anvil');
    expect((await client.getBlock()).hash).toBe(hash);
    await checkEdited(STRANGER);
    await call('evm_mine');
    expect((await client.getBlock()).timestamp).toBeGreaterThanOrEqual(timestamp);
  });

  it('keeps no FlatKV of blocks that are gone, also where it is off', async () => {
    const restart = async (...args: readonly string[]): Promise<void> => {
      expect(await node.stop()).toBe(0);
      node = await start(...args);
    };
    await call('eth_sendTransaction', { from: alice, to: STRANGER, value: '0x1' });
    const height = await call<Hex>('eth_blockNumber');
    await restart('--set', 'state-commit.sc-flatkv=off');
    await call('hardhat_reset');
    await call('hardhat_mine', height);
    await restart();
    expect(await node.stop()).toBe(0);
    const home = join(root, 'home');
    const verified = await verifyState({ home, flags: {}, environment: {} }, () => undefined);
    expect(verified).toMatchObject({ equal: true });
    node = await start();
  });

  it('says that it is one', async () => {
    const chainId = 713_714;
    expect(await call('hardhat_metadata')).toMatchObject({
      chainId,
      clientVersion: expect.stringMatching(/^anvil\/v[\d.]+-chaind-/),
    });
    expect(await call('anvil_nodeInfo')).toMatchObject({ environment: { chainId } });
    expect(await call('rpc_modules')).toMatchObject({ evm: '1.0', anvil: '1.0', hardhat: '1.0' });
  });
});
