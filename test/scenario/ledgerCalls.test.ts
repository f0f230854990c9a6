import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Contract, getCreate2Address, Interface, id, JsonRpcProvider } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';

const STAKING = `0x${'1005'.padStart(40, '0')}`;
const DISTRIBUTION = `0x${'1007'.padStart(40, '0')}`;
const BANK = `0x${'1001'.padStart(40, '0')}`;
const POINTER = `0x${'100b'.padStart(40, '0')}`;
const TOKEN = [
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
];
const pointer = new Interface(readFileSync('docs/abi/pointer.json', 'utf8'));
const staking = new Interface(readFileSync('docs/abi/staking.json', 'utf8'));
const distribution = new Interface(readFileSync('docs/abi/distribution.json', 'utf8'));

const home = mkdtempSync(join(tmpdir(), 'pointers-calls-'));
let node: DevNode;
let provider: JsonRpcProvider;
beforeAll(async () => {
  node = await startDevNode({ home, split: true, blockTimeMs: 200 });
  provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
}, 60_000);
afterAll(async () => {
  provider.destroy();
  await node.stop();
  rmSync(home, { recursive: true });
});

/** Result of a view of the staking precompile, by `eth_call` on a block. */
async function ask(name: string, args: readonly unknown[], block: string) {
  const call = { to: STAKING, data: staking.encodeFunctionData(name, args) };
  const data = (await provider.send('eth_call', [call, block])) as string;
  return staking.decodeFunctionResult(name, data)[0];
}

describe('calls of a running node that list the ledger', () => {
  it('answer at the newest block, at a past one and on what is pending, from either thread', async () => {
    const past = await provider.send('eth_blockNumber', []);
    const { operatorAddress, tokens } = (await ask('validators', ['', '0x'], 'latest')).validators[0];
    const operator = developmentAccount(0).address;
    const [own] = (await ask('delegatorDelegations', [operator, '0x'], 'latest')).delegations;
    expect(own.delegation.validator_address).toBe(operatorAddress);
    const hash = await provider.send('eth_sendTransaction', [
      {
        from: operator,
        to: STAKING,
        value: '0xde0b6b3a7640000',
        gas: '0x7a120',
        data: staking.encodeFunctionData('delegate', [operatorAddress]),
      },
    ]);
    const receipt = await provider.waitForTransaction(hash);
    expect(receipt!.status).toBe(1);
    const now = await ask('validators', ['BOND_STATUS_BONDED', '0x'], 'latest');
    expect(BigInt(now.validators[0].tokens)).toBe(BigInt(tokens) + 1_000_000n);
    expect((await ask('validators', ['', '0x'], past)).validators[0].tokens).toBe(tokens);
    expect((await ask('validators', ['', '0x'], 'pending')).validators).toHaveLength(1);
    expect((await ask('validators', ['', '0xff'], 'latest')).validators).toHaveLength(0);
    const call = { to: STAKING, data: staking.encodeFunctionData('validators', ['', '0x']) };
    // Traces always run on worker threads.
    const trace = await provider.send('debug_traceCall', [call, 'latest', { tracer: 'callTracer' }]);
    expect(trace.output).toBe(await provider.send('eth_call', [call, 'latest']));
    const block = await provider.send('debug_traceBlockByNumber', [`0x${receipt!.blockNumber.toString(16)}`]);
    expect(block[0].result).toMatchObject({ failed: false });
    const rewards = { to: DISTRIBUTION, data: distribution.encodeFunctionData('rewards', [operator]) };
    expect(BigInt(await provider.send('eth_estimateGas', [rewards]))).toBeGreaterThan(21_000n);
  });
});

describe('the token of a development chain', () => {
  const rest = async (path: string) => {
    const response = await fetch(`${node.restUrl}${path}`);
    return (await response.json()) as Record<string, unknown>;
  };

  it('gets its ERC-20 contract where everyone can compute it, and is listed over REST', async () => {
    const from = developmentAccount(0).address;
    const address = getCreate2Address(POINTER, id('utest'), id(''));
    const query = '/chain/evm/v1/pointer/utest';
    expect(await rest(query)).toEqual({ pointer: address, version: 0, exists: false });
    expect(await rest('/chain/evm/v1/pointers')).toMatchObject({ pointers: [] });
    const data = pointer.encodeFunctionData('addNativePointer', ['utest']);
    const gas = await provider.send('eth_estimateGas', [{ from, to: POINTER, data }]);
    const hash = await provider.send('eth_sendTransaction', [{ from, to: POINTER, data, gas }]);
    expect((await provider.waitForTransaction(hash))!.status).toBe(1);
    expect(await rest(query)).toEqual({ pointer: address, version: 1, exists: true });
    expect(await rest(`/chain/evm/v1/pointee/${address}`)).toEqual({
      pointee: 'utest',
      version: 1,
      exists: true,
    });
    expect(await rest('/chain/evm/v1/pointers?pagination.limit=5')).toMatchObject({
      pointers: [{ denom: 'utest', pointer: address, version: 1 }],
    });
    expect(await rest('/chain/evm/v1/pointer/factory/chain1x/coin')).toMatchObject({ exists: false });
    expect(await rest(`/chain/evm/v1/pointee/${from}`)).toMatchObject({ exists: false, pointee: '' });
    expect(await rest('/cosmos/bank/v1beta1/denoms_metadata/utest')).toMatchObject({
      metadata: { symbol: 'TEST', base: 'utest' },
    });
    const { metadatas } = await rest('/cosmos/bank/v1beta1/denoms_metadata');
    expect((metadatas as { base: string }[]).map(({ base }) => base)).toEqual(['usei', 'utest']);
  });

  it('is an ordinary contract to tools', async () => {
    const from = developmentAccount(0).address;
    const to = developmentAccount(1).address;
    const address = getCreate2Address(POINTER, id('utest'), id(''));
    const token = new Contract(address, TOKEN, provider);
    expect(await provider.getCode(address)).toMatch(/^0x60/);
    expect([await token.name!(), await token.symbol!(), await token.decimals!()]).toEqual([
      'Test Token',
      'TEST',
      6n,
    ]);
    const data = token.interface.encodeFunctionData('transfer', [to, 5n]);
    const call = { from, to: address, data };
    const gas = BigInt(await provider.send('eth_estimateGas', [call]));
    const hash = await provider.send('eth_sendTransaction', [{ ...call, gas: `0x${gas.toString(16)}` }]);
    const receipt = await provider.waitForTransaction(hash);
    expect(receipt!.status).toBe(1);
    expect(gas).toBeLessThan((receipt!.gasUsed * 3n) / 2n);
    expect(await token.balanceOf!(to)).toBe(10n ** 12n + 5n);
    const trace = await provider.send('debug_traceTransaction', [hash, { tracer: 'callTracer' }]);
    expect(trace.calls.map(({ to: callee }: { to: string }) => callee)).toEqual([BANK, BANK]);
    const { accessList } = await provider.send('eth_createAccessList', [call]);
    expect(accessList).toEqual([{ address: address.toLowerCase(), storageKeys: [`0x${'0'.repeat(64)}`] }]);
    // Code of an override runs in its place; an override of the bank takes the precompile away.
    const other = { [address]: { code: '0x602a5f5260205ff3' } };
    expect(BigInt(await provider.send('eth_call', [call, 'latest', other]))).toBe(42n);
    const refused = provider.send('eth_call', [call, 'latest', { [BANK]: { balance: '0x1' } }]);
    await expect(refused).rejects.toThrow();
  });
});
