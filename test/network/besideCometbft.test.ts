import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createPublicClient, createWalletClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMETBFT_PROGRAM } from '../../scripts/buildCometbft.ts';
import { developmentAccount } from '../support/accounts.ts';
import { missingCometbft } from '../support/cometbft.ts';
import { freePort } from '../support/freePort.ts';
import { makeNetwork, type Network, type NetworkNode } from '../support/network.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const leftOut = leftOutIf('a CometBFT that runs by itself', missingCometbft());
const RECEIVER = '0x00000000000000000000000000000000000000cc';
const PATIENCE_MS = 120_000;

describe('a CometBFT that runs by itself', leftOut, () => {
  let network: Network;
  let node: NetworkNode;
  let comet: ChildProcess | undefined;
  let listen: string;
  let rpc: string;

  const viem = () => createPublicClient({ transport: http(node.jsonRpc) });
  const begin = (): void => {
    const args = ['start', '--home', node.home, '--proxy_app', listen, '--rpc.laddr', rpc];
    comet = spawn(COMETBFT_PROGRAM, args, { stdio: 'ignore' });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!comet || comet.exitCode !== null || comet.signalCode !== null) return;
    const gone = once(comet, 'exit');
    comet.kill(signal);
    await gone;
  };
  async function transfer(): Promise<void> {
    const account = developmentAccount(3);
    const wallet = createWalletClient({ account, transport: http(node.jsonRpc) });
    const hash = await wallet.sendTransaction({ to: RECEIVER, value: 1n, chain: null });
    const receipt = await viem().waitForTransactionReceipt({ hash, timeout: PATIENCE_MS });
    expect(receipt.status).toBe('success');
  }

  beforeAll(async () => {
    network = await makeNetwork({ validators: 1, rpcNodes: 0, blockTimeMs: 200 });
    node = network.nodes[0]!;
    listen = `tcp://127.0.0.1:${await freePort()}`;
    rpc = `tcp://127.0.0.1:${await freePort()}`;
    node.edit('app', { 'node.abci-listen': listen, 'node.cometbft-rpc': rpc, 'evm.http_enabled': true });
    node.start();
  });
  afterAll(async () => {
    await end('SIGKILL');
    await network?.close();
  });

  it('connects when it comes, and decides the blocks', async () => {
    begin();
    await until('JSON-RPC answers', () => viem().getBlockNumber(), PATIENCE_MS);
    await transfer();
    const block = await viem().getBlock();
    const [meta] = (
      await node.call<{ block_metas: { block_id: { hash: string } }[] }>(
        `blockchain?minHeight=${block.number}&maxHeight=${block.number}`,
      )
    ).block_metas;
    expect(block.hash).toBe(`0x${meta!.block_id.hash.toLowerCase()}`);
  });

  it('goes on after it was killed and came back, and so does the node after its own end', async () => {
    await end('SIGKILL');
    const before = await viem().getBlockNumber();
    begin();
    await until('blocks follow', async () => (await viem().getBlockNumber()) > before + 1n, PATIENCE_MS);
    expect(await node.stop()).toBe(0);
    // Without its application CometBFT ends, and now and then does not come to that end.
    await end('SIGKILL');
    node.start();
    begin();
    await until('JSON-RPC answers', () => viem().getBlockNumber(), PATIENCE_MS);
    await transfer();
  });
});
