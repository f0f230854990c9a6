import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractFactory, HDNodeWallet, NonceManager, parseEther, WebSocketProvider } from 'ethers';
import { createPublicClient, createWalletClient, type Hex, type Log, parseAbi, webSocket } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount, MNEMONIC } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';

const FRIEND = '0x00000000000000000000000000000000000000f1';
const TOKEN_ABI = parseAbi([
  'function mint(address,uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

let root: string;
let node: DevNode;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'websocket-clients-'));
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 50 });
});
afterAll(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

describe('clients over WebSocket', () => {
  it('ethers deploys, waits for receipts, and hears blocks, logs and pending transactions', async () => {
    const { Token } = compileContracts();
    const provider = new WebSocketProvider(node.wsUrl);
    const wallet = HDNodeWallet.fromPhrase(MNEMONIC, '', "m/44'/60'/0'/0/0");
    const signer = new NonceManager(wallet.connect(provider));
    const blocks: number[] = [];
    await provider.on('block', (number: number) => blocks.push(number));
    const pending: string[] = [];
    await provider.on('pending', (hash: string) => pending.push(hash));
    const token = await new ContractFactory(Token!.abi as never, Token!.bytecode, signer).deploy(
      'Gold',
      'GLD',
    );
    await token.waitForDeployment();
    const heard: bigint[] = [];
    await token.on('Transfer', (_from, _to, value: bigint) => heard.push(value));
    const sent = await token.getFunction('mint')(FRIEND, parseEther('3'));
    const receipt = await sent.wait();
    expect(receipt?.status).toBe(1);
    await expect.poll(() => heard).toEqual([parseEther('3')]);
    await expect.poll(() => blocks).toContain(receipt?.blockNumber);
    expect(blocks).toEqual([...blocks].sort((a, b) => a - b));
    await expect.poll(() => pending).toContain(sent.hash);
    expect(await provider.getBalance(wallet.address)).toBeGreaterThan(0n);
    await provider.destroy();
  });

  it('viem watches blocks, contract events and pending transactions', async () => {
    const { Token } = compileContracts();
    const transport = webSocket(node.wsUrl);
    const client = createPublicClient({ transport });
    const wallet = createWalletClient({ account: developmentAccount(1), transport });
    const numbers: bigint[] = [];
    const hashes: Hex[] = [];
    const logs: Log[] = [];
    const stops = [
      client.watchBlocks({ onBlock: ({ number }) => numbers.push(number!) }),
      client.watchPendingTransactions({ onTransactions: (some) => hashes.push(...some) }),
    ];
    const deploy = { abi: Token!.abi as never, bytecode: Token!.bytecode as Hex, chain: null };
    const creation = await wallet.deployContract({ ...deploy, args: ['Silver', 'SLV'] as never });
    const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: creation });
    stops.push(
      client.watchContractEvent({
        address: address!,
        abi: TOKEN_ABI,
        eventName: 'Transfer',
        args: { to: FRIEND },
        onLogs: (some) => logs.push(...some),
      }),
    );
    const mint = { address: address!, abi: TOKEN_ABI, functionName: 'mint', chain: null } as const;
    await wallet.writeContract({ ...mint, args: [wallet.account.address, 1n] });
    const hash = await wallet.writeContract({ ...mint, args: [FRIEND, 7n] });
    const { blockNumber } = await client.waitForTransactionReceipt({ hash });
    await expect.poll(() => logs).toMatchObject([{ transactionHash: hash, args: { value: 7n } }]);
    await expect.poll(() => numbers).toContain(blockNumber);
    await expect.poll(() => hashes).toContain(hash);
    for (const stop of stops) stop();
    (await client.transport.getRpcClient()).close();
  });
});
