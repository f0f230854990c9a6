import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { missingCometbft } from '../support/cometbft.ts';
import { agree, makeNetwork, type Network, type NetworkNode } from '../support/network.ts';
import { createRandom } from '../support/random.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const leftOut = leftOutIf('kills of a node and of its CometBFT', missingCometbft());
const KILLS = Number(process.env.NETWORK_KILLS ?? 3);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
const MAX_MS = 3000;
/** A node that is behind catches up by some blocks a second once it takes part in consensus: others may not be faster. */
const BLOCK_MS = 250;
/** Kills come at random moments; what waits behind them may come late on a busy machine. */
const PATIENCE_MS = 180_000;
const RECEIVER = '0x00000000000000000000000000000000000000bb';

interface BlockJson {
  readonly block_id: { readonly hash: string };
  readonly block: { readonly header: { readonly app_hash: string } };
}

describe(`a node and its CometBFT, killed ${KILLS} times (SOAK_SEED=${SEED})`, leftOut, () => {
  let network: Network;
  let node: NetworkNode;
  const account = developmentAccount(2);
  const sent: `0x${string}`[] = [];
  const viem = () => createPublicClient({ transport: http(node.jsonRpc) });

  beforeAll(async () => {
    network = await makeNetwork({ validators: 1, rpcNodes: 1, blockTimeMs: BLOCK_MS });
    for (const it of network.nodes) it.start();
    node = network.rpcs[0]!;
    await node.reaches(3);
  });
  afterAll(() => network?.close());

  it('always goes on from the last block with the same app hash, and every block is whole', async () => {
    const random = createRandom(SEED);
    const validator = network.validators[0]!;
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = random.next() < 0.5 ? validator : node;
      const before = await victim.height();
      await send(kill);
      // The moment of the kill is what varies.
      await new Promise((moment) => setTimeout(moment, random.next() * MAX_MS));
      if (random.next() < 0.5) {
        await victim.kill9();
        victim.start();
      } else {
        const pid = victim.cometPid();
        process.kill(pid, 'SIGKILL');
        await until('another CometBFT runs', async () => victim.cometPid() !== pid, PATIENCE_MS);
      }
      await victim.reaches(before + 5);
    }
    const height = await validator.height();
    // Also waits until the node has all blocks: what it takes in while it catches up goes to peers only then.
    await agree(network.nodes, height);
    // What only a killed node knew is gone with it, as everywhere: a client sends it again.
    await until(
      'all transfers are in blocks',
      async () => {
        const count = await viem().getTransactionCount({ address: account.address });
        for (const raw of sent.slice(count))
          await viem()
            .sendRawTransaction({ serializedTransaction: raw })
            .catch(() => undefined);
        if (count < KILLS) throw new RangeError(`${count} at ${await heights()}`);
        return true;
      },
      PATIENCE_MS,
    );
    for (let at = 1; at <= height; at++) await until(`block ${at} is whole`, () => isWhole(at), PATIENCE_MS);
  });

  const heights = async () => Promise.all(network.nodes.map(async (it) => `${it.name} ${await it.height()}`));

  async function send(nonce: number): Promise<void> {
    await until('JSON-RPC answers', () => viem().getBlockNumber(), PATIENCE_MS);
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: 713_714,
      to: RECEIVER,
      value: 1n,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1n,
    });
    await viem().sendRawTransaction({ serializedTransaction: raw });
    sent.push(raw);
  }

  /** Ours as CometBFT has it; one with gaps, which is completed after a replay, would have another size. */
  async function isWhole(height: number): Promise<boolean> {
    const theirs = await node.call<BlockJson>(`block?height=${height}`);
    const range = `minHeight=${height}&maxHeight=${height}`;
    const { block_metas: metas } = await node.call<{ block_metas: { block_size: string }[] }>(
      `blockchain?${range}`,
    );
    const ours = await viem().getBlock({ blockNumber: BigInt(height) });
    expect(ours.hash).toBe(`0x${theirs.block_id.hash.toLowerCase()}`);
    expect(ours.stateRoot).toBe(`0x${theirs.block.header.app_hash.toLowerCase()}`);
    return ours.size === BigInt(metas[0]!.block_size);
  }
});
