import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concat, getCreate2Address, Interface, keccak256, Transaction, toBeHex, zeroPadValue } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';

const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11';
/** Whoever runs it anywhere gets the deployer at its address: nobody has the key that signed it. */
const PRESIGNED =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222';
/** Returns block.timestamp. */
const TIME_CODE = '0x425f5260205ff3';
const alice = developmentAccount(0).address;

let root: string;
let node: DevNode;
const call = <T = string>(method: string, ...params: unknown[]) => rpcCall<T>(node.url, method, params);
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'development-home-'));
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 0 });
});
afterAll(async () => {
  await node.stop();
  rmSync(root, { recursive: true });
});

describe('a development home', () => {
  it('names a program that development tools know, and itself', async () => {
    expect(await call('web3_clientVersion')).toMatch(/^anvil\/v1\.7\.1-chaind-\d+\.\d+\.\d+\//);
  });

  it('gives transactions of one account that are sent at once a nonce each', async () => {
    const before = BigInt(await call('eth_getTransactionCount', alice, 'latest'));
    const hashes = await Promise.all(
      Array.from({ length: 100 }, () =>
        call('eth_sendTransaction', { from: alice, to: alice, value: '0x1' }),
      ),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(BigInt(await call('eth_getTransactionCount', alice, 'latest'))).toBe(before + 100n);
  });

  it('has the CREATE2 deployer, with the code that its presigned transaction leaves', async () => {
    const { data, from } = Transaction.from(PRESIGNED);
    expect(from).toBe('0x3fAB184622Dc19b6109349B94811493BF2a45362');
    const code = await call('eth_call', { data });
    expect(await call('eth_getCode', DEPLOYER)).toBe(code);
    const initCode = '0x6001600c60003960016000f3fe00';
    const salt = zeroPadValue('0x07', 32);
    const hash = await call('eth_sendTransaction', {
      from: alice,
      to: DEPLOYER,
      data: concat([salt, initCode]),
    });
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    const created = getCreate2Address(DEPLOYER, salt, keccak256(initCode));
    expect(await call('eth_getCode', created)).not.toBe('0x');
  });

  it('has Multicall3', async () => {
    const abi = new Interface([
      'function getBlockNumber() view returns (uint256)',
      'function getEthBalance(address) view returns (uint256)',
      'function aggregate3((address target, bool allowFailure, bytes callData)[]) payable returns ((bool success, bytes returnData)[])',
    ]);
    const callData = abi.encodeFunctionData('getEthBalance', [alice]);
    const data = abi.encodeFunctionData('aggregate3', [[[MULTICALL, false, callData]]]);
    const [[result]] = abi.decodeFunctionResult(
      'aggregate3',
      await call('eth_call', { to: MULTICALL, data }),
    );
    expect(result.success).toBe(true);
    expect(BigInt(result.returnData)).toBe(BigInt(await call('eth_getBalance', alice)));
  });

  it('takes transactions that are signed for no chain in particular', async () => {
    const signature = { r: toBeHex(1n, 32), s: toBeHex(1n, 32), v: 27 };
    const transaction = Transaction.from({
      type: 0,
      to: '0x00000000000000000000000000000000000057a9',
      gasLimit: 21_000n,
      gasPrice: 100_000_000_000n,
      value: 1n,
      signature,
    });
    await call('anvil_setBalance', transaction.from, toBeHex(10n ** 18n));
    const hash = await call('eth_sendRawTransaction', transaction.serialized);
    await expect.poll(() => call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    expect(await call('eth_getTransactionByHash', hash)).not.toHaveProperty('chainId');
  });

  it('estimates and calls on the block to come with exactly the time that it will have', async () => {
    const { timestamp } = await call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    const next = Number(timestamp) + 1000;
    await call('evm_setNextBlockTimestamp', next);
    expect(Number(await call('eth_call', { data: TIME_CODE }, 'pending'))).toBe(next);
    // Creation code that reverts unless the time is the one that it names.
    const timed = (seconds: number) => `0x4263${seconds.toString(16).padStart(8, '0')}14600d575f5ffd5b00`;
    expect(BigInt(await call('eth_estimateGas', { from: alice, data: timed(next) }))).toBeGreaterThan(
      21_000n,
    );
    await expect(call('eth_estimateGas', { from: alice, data: timed(next + 1) })).rejects.toThrow();
    await call('evm_mine');
    const mined = await call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    expect(Number(mined.timestamp)).toBe(next);
    expect(Number(await call('eth_call', { data: TIME_CODE }, 'pending'))).toBeGreaterThanOrEqual(next);
  });
});
