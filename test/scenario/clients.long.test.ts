import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import {
  ContractFactory,
  type Contract as EthersContract,
  HDNodeWallet,
  JsonRpcProvider,
  NonceManager,
} from 'ethers';
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  getContract,
  type Hex,
  http,
  parseEther,
  parseEventLogs,
  publicActions,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount, MNEMONIC } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcBatch, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const contracts = compileContracts();
const SENDERS = 10;
const TRANSFERS = 2_000;
const BATCH = 20;

/** A viem client of one development account. */
async function viemClient(url: string, index: number) {
  const id = await rpcCall<Hex>(url, 'eth_chainId').then(Number);
  const chain = {
    id,
    name: 'chain',
    nativeCurrency: { name: 'token', symbol: 'TOKEN', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  };
  const account = developmentAccount(index);
  return createWalletClient({ account, chain, transport: http(url), pollingInterval: 50 }).extend(
    publicActions,
  );
}

/** All at once, in several batches that are under way together; gives the hashes. */
async function sendAll(url: string, signed: readonly Hex[]): Promise<Hex[]> {
  const batches = Array.from({ length: signed.length / BATCH }, (_, i) =>
    signed.slice(i * BATCH, (i + 1) * BATCH),
  );
  const sent = batches.map((batch) =>
    rpcBatch<Hex>(
      url,
      batch.map((raw) => ['eth_sendRawTransaction', [raw]]),
    ),
  );
  return (await Promise.all(sent)).flat();
}

describe.each([
  { layout: 'one store', split: false },
  { layout: 'the split layout', split: true },
])('clients on $layout', ({ split }) => {
  let root: string;
  let home: string;
  let node: DevNode;
  /** Calls and the answers that they got before the restart. */
  const remembered: [method: string, params: unknown[], answer: unknown][] = [];

  async function remember(method: string, ...params: unknown[]): Promise<void> {
    remembered.push([method, params, await rpcCall(node.url, method, params)]);
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'clients-'));
    home = join(root, 'home');
    node = await startDevNode({ home, split, blockTimeMs: 100 });
  });
  afterAll(async () => {
    await node?.kill9();
    rmSync(root, { recursive: true, force: true });
  });

  it('ethers deploys and uses an ERC-20, an ERC-721 and an upgradeable proxy', async () => {
    const provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
    const wallet = HDNodeWallet.fromPhrase(MNEMONIC, '', "m/44'/60'/0'/0/0");
    const signer = new NonceManager(wallet.connect(provider));
    const deploy = async (name: keyof typeof contracts, ...args: unknown[]): Promise<EthersContract> => {
      const { abi, bytecode } = contracts[name];
      const contract = await new ContractFactory(abi as never, bytecode, signer).deploy(...args);
      return (await contract.waitForDeployment()) as EthersContract;
    };
    const send = async (contract: EthersContract, method: string, ...args: unknown[]) =>
      (await contract.getFunction(method)(...args)).wait();

    const token = await deploy('Token', 'Gold', 'GLD');
    await send(token, 'mint', wallet.address, parseEther('100'));
    const friend = developmentAccount(5).address;
    await send(token, 'transfer', friend, parseEther('30'));
    expect(await token.getFunction('balanceOf')(friend)).toBe(parseEther('30'));
    const transfers = await token.queryFilter('Transfer', 0);
    expect(transfers).toHaveLength(2);
    await expect(token.getFunction('transfer').staticCall(friend, parseEther('1000'))).rejects.toThrow(
      /ERC20InsufficientBalance/,
    );

    const collectible = await deploy('Collectible');
    await send(collectible, 'mint', wallet.address, 7n);
    await send(collectible, 'transferFrom', wallet.address, friend, 7n);
    expect(await collectible.getFunction('ownerOf')(7n)).toBe(friend);

    const first = await deploy('Counter');
    const proxy = await deploy('Proxy', await first.getAddress());
    const counter = first.attach(await proxy.getAddress()) as EthersContract;
    await send(counter, 'increment');
    expect(await counter.getFunction('count')()).toBe(2n);
    await send(counter, 'upgradeTo', await (await deploy('CounterV2')).getAddress());
    await send(counter, 'increment');
    expect(await counter.getFunction('count')()).toBe(12n);
    await expect(counter.getFunction('fail')('because')).rejects.toThrow(/because/);

    await remember('eth_getCode', await proxy.getAddress(), 'latest');
    await remember('eth_getStorageAt', await proxy.getAddress(), '0x0', 'latest');
    await remember('eth_getTransactionReceipt', transfers[0]!.transactionHash);
    await remember('eth_getLogs', { address: await token.getAddress(), fromBlock: '0x1', toBlock: 'latest' });
    provider.destroy();
  });

  it('viem deploys and uses an ERC-20, and reads events, old blocks and reverts', async () => {
    const client = await viemClient(node.url, 1);
    const { abi, bytecode } = contracts.Token;
    const deployed = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi, bytecode, args: ['Silver', 'SLV'] }),
    });
    const address = deployed.contractAddress as Address;
    const before = deployed.blockNumber;
    const minted = await client.waitForTransactionReceipt({
      hash: await client.writeContract({
        abi,
        address,
        functionName: 'mint',
        args: [client.account.address, 5n],
      }),
    });
    expect(minted).toMatchObject({ status: 'success', type: 'eip1559', to: address });
    expect(parseEventLogs({ abi, logs: minted.logs, eventName: 'Transfer' })[0]?.args).toMatchObject({
      value: 5n,
    });
    const balanceOf = { abi, address, functionName: 'balanceOf', args: [client.account.address] } as const;
    expect(await client.readContract(balanceOf)).toBe(5n);
    expect(await client.readContract({ ...balanceOf, blockNumber: before })).toBe(0n);
    const token = getContract({ abi, address, client });
    await expect(token.write.transfer!([developmentAccount(2).address, 6n])).rejects.toThrow(
      /ERC20InsufficientBalance/,
    );
    const block = await client.getBlock({ blockNumber: minted.blockNumber, includeTransactions: true });
    expect(block.transactions.map(({ hash }) => hash)).toContain(minted.transactionHash);
    const history = await client.getFeeHistory({ blockCount: 3, rewardPercentiles: [25, 75] });
    expect(history.baseFeePerGas).toHaveLength(4);
    await remember('eth_getBlockByHash', minted.blockHash, true);
    await remember('eth_getTransactionByHash', minted.transactionHash);
    await remember('eth_call', { to: address, data: encodeFunctionData(balanceOf) }, 'latest');
  });

  it.each([
    { kind: 'legacy', fields: { type: 'legacy', gasPrice: 3_000_000_000n } },
    { kind: 'access list', fields: { type: 'eip2930', gasPrice: 3_000_000_000n, accessList: [] } },
    { kind: 'fee market', fields: { type: 'eip1559' } },
  ] as const)('a $kind transaction is mined and shown as sent', async ({ fields }) => {
    const client = await viemClient(node.url, 2);
    const to = developmentAccount(3).address;
    const hash = await client.sendTransaction({ to, value: 1n, ...(fields as object) });
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'success', gasUsed: 21_000n, type: fields.type });
    expect(await client.getTransaction({ hash })).toMatchObject({
      to: to.toLowerCase(),
      value: 1n,
      type: fields.type,
    });
  });

  it('an account delegates its code by a set-code transaction', async () => {
    const client = await viemClient(node.url, 4);
    const { abi, bytecode } = contracts.Counter;
    const target = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi, bytecode }),
    });
    const authorization = await client.signAuthorization({
      contractAddress: target.contractAddress as Address,
      executor: 'self',
    });
    const data = encodeFunctionData({ abi, functionName: 'increment' });
    const to = client.account.address;
    const hash = await client.sendTransaction({ authorizationList: [authorization], data, to });
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      type: 'eip7702',
    });
    expect(await client.getCode({ address: to })).toBe(`0xef0100${target.contractAddress!.slice(2)}`);
    expect(await client.readContract({ abi, address: to, functionName: 'count' })).toBe(1n);
  });

  it('cast reads balances, sends transactions and calls contracts', async () => {
    const cast = async (...args: string[]) =>
      (
        await run('node_modules/.bin/cast', args, { env: { ...process.env, ETH_RPC_URL: node.url } })
      ).stdout.trim();
    const key = ['--private-key', '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6'];
    const friend = developmentAccount(6).address;
    const before = BigInt(await cast('balance', friend));
    await cast('send', friend, '--value', '1ether', ...key);
    expect(BigInt(await cast('balance', friend)) - before).toBe(parseEther('1'));
    const deployed = JSON.parse(await cast('send', '--json', ...key, '--create', contracts.Counter.bytecode));
    await cast('send', deployed.contractAddress, 'increment()', ...key);
    expect(await cast('call', deployed.contractAddress, 'count()(uint256)')).toBe('1');
    expect(await cast('chain-id')).toBe('713714');
    expect(Number(await cast('block-number'))).toBeGreaterThan(0);
    expect(await cast('estimate', deployed.contractAddress, 'increment()')).toMatch(/^\d+$/);
    expect(await cast('receipt', deployed.transactionHash, 'status')).toMatch(/1|true/);
  });

  it(`takes ${TRANSFERS} transfers of ${SENDERS} senders in flight at once`, async () => {
    const chainId = await rpcCall<Hex>(node.url, 'eth_chainId').then(Number);
    const receiver = '0x00000000000000000000000000000000000c0ffe';
    const perSender = TRANSFERS / SENDERS;
    const hashes = await Promise.all(
      Array.from({ length: SENDERS }, async (_, index) => {
        const account = developmentAccount(index);
        const first = Number(
          await rpcCall<Hex>(node.url, 'eth_getTransactionCount', [account.address, 'latest']),
        );
        const signed = await Promise.all(
          Array.from({ length: perSender }, (_, i) =>
            account.signTransaction({
              chainId,
              nonce: first + i,
              to: receiver,
              value: 1n,
              gas: 21_000n,
              maxFeePerGas: 1_000_000_000_000n,
              maxPriorityFeePerGas: 1_000_000_000n,
              type: 'eip1559',
            }),
          ),
        );
        return sendAll(node.url, signed);
      }),
    );
    await until(
      'all transfers are mined',
      async () =>
        BigInt(await rpcCall<Hex>(node.url, 'eth_getBalance', [receiver, 'latest'])) === BigInt(TRANSFERS),
      90_000,
    );
    const receipts = await rpcBatch<{ status: Hex } | null>(
      node.url,
      hashes.flat().map((hash) => ['eth_getTransactionReceipt', [hash]]),
    );
    expect(receipts.filter((receipt) => receipt?.status === '0x1')).toHaveLength(TRANSFERS);
    await remember('eth_getBalance', receiver, 'latest');
    for (let index = 0; index < SENDERS; index++) {
      await remember('eth_getTransactionCount', developmentAccount(index).address, 'latest');
      await remember('eth_getBalance', developmentAccount(index).address, 'latest');
    }
    await remember('eth_getTransactionReceipt', hashes[3]![99]);
  });

  it('gives the same answers after a restart', async () => {
    expect(await node.stop()).toBe(0);
    node = await startDevNode({ home, split, blockTimeMs: 100 });
    for (const [method, params, answer] of remembered) {
      expect(await rpcCall(node.url, method, params)).toEqual(answer);
    }
    expect(remembered.length).toBeGreaterThan(25);
  });

  it('runs the example of the README', async () => {
    const { stdout } = await run(process.execPath, [GENERAL_WRAPPERS, 'examples/token.ts', node.url]);
    expect(stdout).toMatch(/holds 12\.5 EXM/);
  });
});
