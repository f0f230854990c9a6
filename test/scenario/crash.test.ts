import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { type DevNode, killDuringStart, startDevNode } from '../support/devNode.ts';
import { openHome } from '../support/openHome.ts';
import { createRandom, type Random } from '../support/random.ts';
import { openReplay, type Replay } from '../support/replay.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
/** Per layout; 'npm run test:soak' asks for more. */
const KILLS = Number(process.env.CRASH_KILLS ?? 26);
const CHECK_EVERY = 6;
const SENDERS = 4;
const { Token, Counter } = compileContracts();

interface Announced {
  readonly number: Hex;
  readonly hash: Hex;
}

/** A few senders' transfers, token transfers and counts, until the node is gone. */
class Load {
  readonly #random: Random;
  readonly #contracts: { readonly token: Hex; readonly counter: Hex };
  /** The newest block that the node has told of. */
  announced: Announced | undefined;
  /** A transaction that was mined, and its block. */
  mined: { readonly transactionHash: Hex; readonly blockHash: Hex } | undefined;
  sent = 0;

  constructor(random: Random, contracts: { readonly token: Hex; readonly counter: Hex }) {
    this.#random = random;
    this.#contracts = contracts;
  }

  /** Ends when the node no longer answers. */
  async run(url: string): Promise<void> {
    const senders = Array.from({ length: SENDERS }, (_, index) => this.#send(url, index));
    await Promise.allSettled([...senders, this.#watch(url)]);
  }

  async #watch(url: string): Promise<void> {
    for (;;) this.announced = await rpcCall<Announced>(url, 'eth_getBlockByNumber', ['latest', false]);
  }

  async #send(url: string, index: number): Promise<void> {
    const account = developmentAccount(index);
    let nonce = Number(await rpcCall<Hex>(url, 'eth_getTransactionCount', [account.address, 'pending']));
    for (;;) {
      const batch = Array.from({ length: 1 + this.#random.below(8) }, () => this.#signed(index, nonce++));
      const hashes = await Promise.all(
        (await Promise.all(batch)).map((raw) => rpcCall<Hex>(url, 'eth_sendRawTransaction', [raw])),
      );
      this.sent += hashes.length;
      const last = hashes.at(-1)!;
      this.mined = await until(
        'the batch is mined',
        async () => {
          const receipt = await rpcCall<Load['mined'] | null>(url, 'eth_getTransactionReceipt', [last]);
          return receipt ?? undefined;
        },
        3_000,
      );
    }
  }

  #signed(index: number, nonce: number): Promise<Hex> {
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 9n, chainId: 713_714 } as const;
    const friend = toHex(0xf000 + this.#random.below(40), { size: 20 });
    const transfer = encodeFunctionData({
      abi: Token.abi,
      functionName: 'mint',
      args: [friend, BigInt(nonce)],
    });
    const count = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' });
    const body = this.#random.pick([
      { to: friend, value: BigInt(this.#random.below(1000)) },
      { to: this.#contracts.token, data: transfer },
      { to: this.#contracts.counter, data: count },
      { data: Counter.bytecode },
    ]);
    return developmentAccount(index).signTransaction({
      ...fees,
      ...body,
      nonce,
      gas: 1_000_000n,
      type: 'eip1559',
    });
  }
}

describe.each([
  { layout: 'one store', split: false },
  { layout: 'the split layout', split: true },
])('kill -9 under load on $layout', ({ split }) => {
  const random = createRandom(SEED + Number(split));
  let root: string;
  let home: string;
  let replay: Replay | undefined;
  let node: DevNode | undefined;

  const start = async (): Promise<DevNode> => {
    node = await startDevNode({ home, split, blockTimeMs: random.pick([0, 10, 50]) });
    return node;
  };
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'crash-'));
    home = join(root, 'home');
  });
  afterAll(async () => {
    await node?.kill9();
    await replay?.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function deploy(url: string): Promise<Load> {
    const client = developmentAccount(9);
    const send = async (nonce: number, data: Hex): Promise<Hex> => {
      const raw = await client.signTransaction({
        chainId: 713_714,
        nonce,
        data,
        gas: 3_000_000n,
        gasPrice: 10n ** 12n,
        type: 'legacy',
      });
      const hash = await rpcCall<Hex>(url, 'eth_sendRawTransaction', [raw]);
      return until('the contract is deployed', async () => {
        const receipt = await rpcCall<{ contractAddress: Hex } | null>(url, 'eth_getTransactionReceipt', [
          hash,
        ]);
        return receipt?.contractAddress;
      });
    };
    const token = await send(0, encodeDeployData({ ...Token, args: ['Gold', 'GLD'] }));
    return new Load(random, { token, counter: await send(1, Counter.bytecode) });
  }

  async function expectNothingLost({ announced, mined }: Load, url: string): Promise<void> {
    if (announced) {
      const latest = Number(await rpcCall<Hex>(url, 'eth_blockNumber'));
      expect(latest).toBeGreaterThanOrEqual(Number(announced.number));
      expect(await rpcCall(url, 'eth_getBlockByNumber', [announced.number, false])).toEqual(announced);
    }
    if (mined)
      expect(await rpcCall(url, 'eth_getTransactionReceipt', [mined.transactionHash])).toEqual(mined);
  }

  async function expectSameAsReplay(announced: Announced | undefined): Promise<number> {
    replay ??= await openReplay(join(root, 'replay'), home, split);
    const survivor = await openHome(home, { split });
    try {
      const height = await replay.check(survivor);
      expect(height).toBeGreaterThanOrEqual(Number(announced?.number ?? 0));
      return height;
    } finally {
      await survivor.close();
    }
  }

  it(`loses nothing in ${KILLS} kills (seed ${SEED})`, { timeout: 30_000 + KILLS * 30_000 }, async () => {
    const { url } = await start();
    const load = await deploy(url);
    let height = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const running = kill === 1 ? node! : await start();
      await expectNothingLost(load, running.url);
      const loaded = load.run(running.url);
      await new Promise((moment) => setTimeout(moment, random.below(500)));
      await running.kill9();
      await loaded;
      // A start takes some 600 ms: these kills fall into the recovery.
      if (kill % 3 === 0) await killDuringStart({ home, split }, 100 + random.below(600));
      if (kill % CHECK_EVERY === 0 || kill === KILLS) height = await expectSameAsReplay(load.announced);
    }
    expect(load.sent).toBeGreaterThan(KILLS);
    expect(height).toBeGreaterThan(KILLS);
  });
});
