import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StargateClient } from '@cosmjs/stargate';
import { connectComet } from '@cosmjs/tendermint-rpc';
import { createPublicClient, createWalletClient, http, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { missingCometbft } from '../support/cometbft.ts';
import { agree, makeNetwork, type Network, type NetworkNode } from '../support/network.ts';
import { linkNodes, type NetworkLinks } from '../support/networkLinks.ts';
import { leftOutIf } from '../support/required.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const leftOut = leftOutIf('a network of four validators', missingCometbft());
const RECEIVER = '0x00000000000000000000000000000000000000aa';
/** On a busy machine rounds and starts take their time. */
const PATIENCE_MS = 120_000;

describe('four validators and a split RPC node', leftOut, () => {
  let network: Network;
  let links: NetworkLinks;
  let rpc: NetworkNode;
  let loading = true;
  let load: Promise<void>;
  let sent = 0;

  const viem = () => createPublicClient({ transport: http(rpc.jsonRpc) });

  /** Transfers, one after another, until told to end; nothing may be refused. */
  async function keepSending(): Promise<void> {
    const wallet = createWalletClient({ account: developmentAccount(0), transport: http(rpc.jsonRpc) });
    const gasPrice = await viem().getGasPrice();
    for (; loading; sent++) {
      await wallet.sendTransaction({
        to: RECEIVER,
        value: 1n,
        nonce: sent,
        gas: 21_000n,
        chain: null,
        maxFeePerGas: gasPrice * 20n,
        maxPriorityFeePerGas: 1n,
      });
      if (sent % 20 !== 0) continue;
      const { address } = developmentAccount(0);
      await until(
        'the pool empties',
        async () => (await viem().getTransactionCount({ address })) > sent - 60,
        PATIENCE_MS,
      );
    }
  }

  beforeAll(async () => {
    network = await makeNetwork({ validators: 4, rpcNodes: 1, split: true, blockTimeMs: 500 });
    links = await linkNodes(network.nodes);
    for (const node of network.nodes) node.start();
    rpc = network.rpcs[0]!;
    await Promise.all(network.nodes.map((node) => node.reaches(3)));
    await until('JSON-RPC answers', () => viem().getBlockNumber(), PATIENCE_MS);
    load = keepSending();
    load.catch(() => undefined);
  });
  afterAll(async () => {
    loading = false;
    await load?.catch(() => undefined);
    await network?.close();
    await links?.close();
  });

  it('serve viem and CosmJS, which see the same blocks', async () => {
    const hash = await createWalletClient({
      account: developmentAccount(1),
      transport: http(rpc.jsonRpc),
    }).sendTransaction({ to: RECEIVER, value: parseEther('1'), chain: null });
    const receipt = await viem().waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    for (const node of network.nodes) {
      await node.reaches(Number(receipt.blockNumber) + 1);
      const client = await StargateClient.connect(node.consensusRpc);
      expect(await client.getChainId()).toBe('network-1');
      const comet = await connectComet(node.consensusRpc);
      const { blockId } = await comet.block(Number(receipt.blockNumber));
      expect(`0x${Buffer.from(blockId.hash).toString('hex')}`).toBe(receipt.blockHash);
      expect((await comet.validators({ height: 1 })).total).toBe(4);
      client.disconnect();
      comet.disconnect();
    }
    await agree(network.nodes, Number(receipt.blockNumber) + 1);
    expect(await rpcCall(rpc.jsonRpc, 'eth_syncing')).toBe(false);
    expect(Number(await rpcCall(rpc.jsonRpc, 'net_peerCount'))).toBeGreaterThan(0);
  });

  it('go on when one is killed, which catches up', async () => {
    const victim = network.validators[1]!;
    const before = await rpc.height();
    await victim.kill9();
    await rpc.reaches(before + 4);
    victim.start();
    await agree(network.nodes, await rpc.height());
  });

  it('go on when a CometBFT is killed, which its node starts again', async () => {
    const victim = network.validators[3]!;
    const pid = victim.cometPid();
    process.kill(pid, 'SIGKILL');
    await until('another CometBFT runs', async () => victim.cometPid() !== pid, PATIENCE_MS);
    await agree(network.nodes, (await rpc.height()) + 2);
  });

  it('let one whose data are wiped recover by block sync, on one processor', async () => {
    const victim = network.validators[2]!;
    expect(await victim.stop()).toBe(0);
    const data = join(victim.home, 'data');
    for (const name of readdirSync(data).filter((entry) => entry !== 'priv_validator_state.json')) {
      rmSync(join(data, name), { recursive: true });
    }
    const state = readFileSync(join(data, 'priv_validator_state.json'), 'utf8');
    victim.start(hasTaskset() ? ['taskset', '-c', '0'] : []);
    await agree(network.nodes, await rpc.height());
    const height = (text: string) => Number((JSON.parse(text) as { height: string }).height);
    const signs = async () => {
      const now = readFileSync(join(data, 'priv_validator_state.json'), 'utf8');
      return height(now) > height(state);
    };
    await until('it signs again', signs, PATIENCE_MS);
  });

  it('make blocks with three of four connected, none with two, and agree once healed', async () => {
    links.isolate(network.validators[0]!);
    const before = await rpc.height();
    await rpc.reaches(before + 4);
    links.heal();
    await agree(network.nodes, (await rpc.height()) + 1);
    links.isolate(...network.validators.slice(0, 2));
    const half = await rpc.height();
    // Nobody goes on to another round with the votes of half; one more block may have been under way.
    const areHalved = async () => {
      const halved = await Promise.all(network.validators.map(lacksOthersVotes));
      return halved.every(Boolean);
    };
    try {
      await until('each half has the votes of its own alone', areHalved, PATIENCE_MS);
      expect(await rpc.height()).toBeLessThanOrEqual(half + 1);
    } finally {
      links.heal();
    }
    await agree(network.nodes, half + 4);
  });

  it('include every transaction in its order, on every node', async () => {
    loading = false;
    await load;
    expect(sent).toBeGreaterThan(20);
    const { address } = developmentAccount(0);
    const areIn = async () => (await viem().getTransactionCount({ address })) === sent;
    await until('all are in blocks', areIn, PATIENCE_MS);
    await agree(network.nodes, await rpc.height());
  });

  it('stop at the halt height, and go on without it', async () => {
    const haltHeight = (await rpc.height()) + 15;
    await Promise.all(network.nodes.map((node) => node.stop()));
    for (const node of network.nodes) {
      node.edit('app', { 'halt-height': haltHeight });
      node.start();
    }
    // One that is a block behind when the others end gets it from those that are back.
    const restarted = network.nodes.map(async (node) => {
      expect(await node.ended()).toBe(0);
      node.edit('app', { 'halt-height': 0 });
      node.start();
    });
    await Promise.all(restarted);
    await agree(network.nodes, haltHeight + 3);
  });
});

/**
 * Whether it has half of the prevotes of its round, or half of the precommits: a cut between the two leaves all
 * prevotes with both halves.
 */
async function lacksOthersVotes(node: NetworkNode): Promise<boolean> {
  const { round_state: state } = await node.call<{ round_state: RoundState }>('consensus_state');
  const round = Number(state['height/round/step'].split('/')[1]);
  const votes = state.height_vote_set.find((set) => set.round === round);
  const bits = [votes?.prevotes_bit_array, votes?.precommits_bit_array];
  return bits.some((array) => array?.endsWith(' = 0.50'));
}

interface RoundState {
  readonly 'height/round/step': string;
  readonly height_vote_set: readonly RoundVotes[];
}

/** Each a bit array with the share of the voting power at its end: `BA{4:xx__} 20/40 = 0.50`. */
interface RoundVotes {
  readonly round: number;
  readonly prevotes_bit_array: string;
  readonly precommits_bit_array: string;
}

function hasTaskset(): boolean {
  return existsSync('/usr/bin/taskset') && execFileSync('taskset', ['-c', '0', 'true']).length === 0;
}
