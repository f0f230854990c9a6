import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, type Hex, http, webSocket } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Web3 } from 'web3';
import { developmentAccount } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { openToolProject, type ToolProject } from '../support/toolProject.ts';
import { until } from '../support/until.ts';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const [alice, bob] = [developmentAccount(0).address, developmentAccount(1).address];

/** The split layout answers other tools' reads from two stores; the suites of clients run on both. */
describe('toolchains on the split layout', () => {
  let root: string;
  let node: DevNode;
  let foundry: ToolProject;
  let hardhat: ToolProject;
  const call = <T = unknown>(method: string, ...params: unknown[]) => rpcCall<T>(node.url, method, params);

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'toolchains-'));
    foundry = openToolProject('foundry');
    hardhat = openToolProject('hardhat');
    node = await startDevNode({ home: join(root, 'home'), split: true, blockTimeMs: 0 });
  });
  afterAll(async () => {
    await node?.kill9();
    foundry?.remove();
    hardhat?.remove();
    rmSync(root, { recursive: true, force: true });
  });

  it('forge creates with a hosted account and with a key, and scripts send one after the other', async () => {
    const to = ['--rpc-url', node.url, '--broadcast'];
    const create = ['create', 'src/Tally.sol:Tally', ...to, '--json'];
    for (const signer of [
      ['--unlocked', '--from', bob],
      ['--private-key', KEY],
    ]) {
      const { deployedTo } = JSON.parse(
        await foundry.run('forge', [...create, ...signer, '--constructor-args', '7']),
      );
      expect(await call('eth_getStorageAt', deployedTo, '0x0', 'latest')).toMatch(/07$/);
    }
    const printed = await foundry.run('forge', [
      'script',
      'script/Deploy.s.sol',
      ...to,
      '--private-key',
      KEY,
    ]);
    expect(printed).toMatch(/ONCHAIN EXECUTION COMPLETE & SUCCESSFUL/);
    const { transactions } = JSON.parse(
      readFileSync(join(foundry.directory, 'broadcast/Deploy.s.sol/713714/run-latest.json'), 'utf8'),
    );
    const tally = transactions[0].contractAddress as string;
    const tested = await foundry.run('forge', ['test', '--fork-url', node.url], { TALLY: tally });
    expect(tested).toMatch(/2 tests passed, 0 failed/);
    expect(await call('eth_getStorageAt', tally, '0x0', 'latest')).toMatch(/2a$/);
  });

  it('cast reads blocks, logs and storage, traces, and uses the development methods', async () => {
    const cast = async (...args: string[]) =>
      (await foundry.run('cast', args, { ETH_RPC_URL: node.url })).trim();
    const address = '0x00000000000000000000000000000000000057a9';
    await cast('rpc', 'anvil_setBalance', address, '0xde0b6b3a7640000');
    expect(await cast('balance', address, '--ether')).toBe('1.000000000000000000');
    await cast('rpc', 'anvil_impersonateAccount', address);
    const sent = JSON.parse(
      await cast('send', '--json', '--unlocked', '--from', address, bob, '--value', '3'),
    );
    expect(sent).toMatchObject({ from: address, status: '0x1' });
    expect(await cast('nonce', address)).toBe('1');
    expect(await cast('tx', sent.transactionHash, 'value')).toBe('3');
    expect(await cast('run', sent.transactionHash)).toMatch(/Transaction successfully executed/);
    const { contracts } = { contracts: compileContracts() };
    const counter = JSON.parse(
      await cast('send', '--json', '--private-key', KEY, '--create', contracts.Counter.bytecode),
    ).contractAddress;
    await cast('send', '--unlocked', '--from', alice, counter, 'increment()');
    expect(await cast('logs', '--address', counter, '--from-block', '0')).toMatch(/address: 0x/);
    expect(await cast('storage', counter, '0')).toMatch(/01$/);
    expect(await cast('code', counter)).toMatch(/^0x60/);
    expect(await cast('block', 'latest', '--field', 'number')).toBe(await cast('block-number'));
    expect(await cast('basefee')).toMatch(/^\d+$/);
    expect(await cast('access-list', counter, 'increment()')).toMatch(/gas used/);
    expect(
      await cast(
        'wallet',
        'verify',
        '--address',
        bob,
        'hi',
        await cast('rpc', 'personal_sign', '0x6869', bob).then(JSON.parse),
      ),
    ).toMatch(/succeeded/);
  });

  it('every command of the guide works in a Foundry project', async () => {
    const guide = readFileSync('docs/guides/developing.md', 'utf8');
    const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
      .flatMap(([, block = '']) => block.split('\n'))
      .map((line) => line.replace(/\s+#.*$/, '').replaceAll('http://127.0.0.1:8545', node.url))
      .filter((line) => /^npx (cast|forge) /.test(line));
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      const [program = '', ...args] = command.replace(/^npx /, '').split(' ');
      await foundry.run(program, args, { ETH_RPC_URL: node.url });
    }
    // What the guide shows of the projects' settings is what these tests run on.
    const plain = (text: string) => text.replace(/\s+/g, ' ');
    for (const path of ['foundry/foundry.toml', 'hardhat/hardhat.config.ts']) {
      const shown = path.endsWith('.toml') ? /^```toml\n(.*?)^```/ms : /^```ts\n(.*?)^```/ms;
      const [, text = 'nothing'] = shown.exec(guide) ?? [];
      expect(plain(readFileSync(`test/fixtures/${path}`, 'utf8'))).toContain(plain(text).trim());
    }
  });

  it('Hardhat deploys and tests with hosted accounts', async () => {
    const printed = await hardhat.run('hardhat', ['test', 'nodejs', '--network', 'chain'], {
      CHAIN_URL: node.url,
    });
    expect(printed).toMatch(/3 passing/);
  });

  it('every helper of hardhat-network-helpers works under Hardhat 3', async () => {
    const helpers = openToolProject('hardhatHelpers');
    const own = await startDevNode({ home: join(root, 'helpers'), blockTimeMs: 0 });
    try {
      const printed = await helpers.run('hardhat', ['test', 'nodejs', '--network', 'chain'], {
        CHAIN_URL: own.url,
      });
      expect(printed).toMatch(/9 passing/);
      expect(printed).not.toMatch(/failing/);
    } finally {
      await own.kill9();
      helpers.remove();
    }
  });

  it('web3.js deploys, sends with its wallet and with a hosted account, and reads events', async () => {
    const web3 = new Web3(node.url);
    const { abi, bytecode } = compileContracts().Token;
    web3.eth.accounts.wallet.add(KEY);
    const factory = new web3.eth.Contract(abi as never);
    const token = await factory
      .deploy({ data: bytecode, arguments: ['Gold', 'GLD'] as never })
      .send({ from: alice });
    const methods = token.methods as unknown as Record<
      string,
      (...args: unknown[]) => { send(from: object): Promise<{ status: bigint }>; call(): Promise<bigint> }
    >;
    expect((await methods.mint!(bob, 10n).send({ from: alice })).status).toBe(1n);
    expect((await methods.transfer!(alice, 4n).send({ from: bob })).status).toBe(1n);
    expect(await methods.balanceOf!(bob).call()).toBe(6n);
    expect(await token.getPastEvents('Transfer' as never, { fromBlock: 0 })).toHaveLength(2);
    await expect(methods.transfer!(alice, 400n).send({ from: bob })).rejects.toThrow();
    expect(await web3.eth.getChainId()).toBe(713_714n);
    expect((await web3.eth.getBlock('latest', true)).transactions).toHaveLength(1);
    expect(await web3.eth.personal.sign('0x6869', bob, '').catch(String)).toMatch(/^0x[0-9a-f]{130}$/);
  });

  it('a wallet asks what it asks before and after it sends', async () => {
    const { address } = developmentAccount(5);
    const chainId = Number(await call<Hex>('eth_chainId'));
    expect(await call('net_version')).toBe(String(chainId));
    const { baseFeePerGas } = await call<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', 'latest', false);
    expect(BigInt(await call<Hex>('eth_gasPrice'))).toBeGreaterThanOrEqual(BigInt(baseFeePerGas));
    const history = await call<{ baseFeePerGas: Hex[]; reward: Hex[][] }>(
      ...(['eth_feeHistory', '0x5', 'latest', [10, 20, 30]] as [string, ...unknown[]]),
    );
    expect(history.reward[0]).toHaveLength(3);
    const request = { from: address, to: bob, value: '0x1' };
    const gas = await call<Hex>('eth_estimateGas', request);
    expect(await call('eth_getCode', bob, 'latest')).toBe('0x');
    const nonce = Number(await call<Hex>('eth_getTransactionCount', address, 'pending'));
    const raw = await developmentAccount(5).signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to: bob,
      value: 1n,
      gas: BigInt(gas),
      maxFeePerGas: 2n * BigInt(history.baseFeePerGas.at(-1)!) + 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    const hash = await call<Hex>('eth_sendRawTransaction', raw);
    await until('the receipt', async () => (await call('eth_getTransactionReceipt', hash)) ?? undefined);
    expect(await call('eth_getTransactionByHash', hash)).toMatchObject({ hash, from: address.toLowerCase() });
    expect(await call('eth_getTransactionCount', address, 'pending')).toBe(`0x${(nonce + 1).toString(16)}`);
  });

  it.each([
    { name: 'polling', transport: () => http(node.url) },
    { name: 'a subscription', transport: () => webSocket(node.wsUrl) },
  ])('a page that watches by $name sees blocks and events as they come', async ({ transport }) => {
    const client = createPublicClient({ transport: transport(), pollingInterval: 20 });
    const { abi, bytecode } = compileContracts().Counter;
    const deployed = await call<Hex>('eth_sendTransaction', { from: alice, data: bytecode });
    const { contractAddress: address } = await call<{ contractAddress: Hex }>(
      'eth_getTransactionReceipt',
      deployed,
    );
    const blocks: bigint[] = [];
    const counts: unknown[] = [];
    const stops = [
      client.watchBlockNumber({ onBlockNumber: (number) => blocks.push(number) }),
      client.watchContractEvent({
        address,
        abi,
        eventName: 'Counted',
        onLogs: (logs) =>
          counts.push(...logs.map((log) => (log as { args?: { count?: bigint } }).args?.count)),
      }),
    ];
    // A watcher begins with what comes after it is there: until it has seen something, it is told again.
    await until('the first event', async () => {
      await call('eth_sendTransaction', { from: alice, to: address, data: '0xd09de08a' });
      return counts.length > 0;
    });
    const seen = counts.length;
    await call('eth_sendTransaction', { from: alice, to: address, data: '0xd09de08a' });
    await until('the next event', async () => counts.length > seen);
    const head = BigInt(await call<Hex>('eth_blockNumber'));
    await until('the newest block', async () => blocks.includes(head));
    for (const stop of stops) stop();
    const numbers = counts.map(Number);
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i));
  });
});
