import { encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem';
import { developmentAccount } from './accounts.ts';
import { compileContracts } from './contracts.ts';
import type { Random } from './random.ts';
import { rpcCall } from './rpcCall.ts';
import { until } from './until.ts';

const SENDERS = 4;
const { Token, Counter } = compileContracts();

/** A block that the node told of over JSON-RPC. */
export interface Announced {
  readonly number: Hex;
  readonly hash: Hex;
}

/** A few senders' transfers, token transfers and counts, until the node is gone. */
export class Load {
  readonly #random: Random;
  readonly #contracts: { readonly token: Hex; readonly counter: Hex };
  readonly #onAnnounced: (height: number) => void;
  /** The newest block that the node has told of. */
  announced: Announced | undefined;
  /** A transaction that was mined, and its block. */
  mined: { readonly transactionHash: Hex; readonly blockHash: Hex } | undefined;
  sent = 0;

  constructor(
    random: Random,
    contracts: { readonly token: Hex; readonly counter: Hex },
    onAnnounced: (height: number) => void = () => undefined,
  ) {
    this.#random = random;
    this.#contracts = contracts;
    this.#onAnnounced = onAnnounced;
  }

  /** Ends when the node no longer answers. */
  async run(url: string): Promise<void> {
    const senders = Array.from({ length: SENDERS }, (_, index) => this.#send(url, index));
    await Promise.allSettled([...senders, this.#watch(url)]);
  }

  async #watch(url: string): Promise<void> {
    for (;;) {
      this.announced = await rpcCall<Announced>(url, 'eth_getBlockByNumber', ['latest', false]);
      this.#onAnnounced(Number(this.announced.number));
    }
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
      this.mined = await this.#mined(url, last);
    }
  }

  /** Rejects once the node is gone. */
  async #mined(url: string, hash: Hex): Promise<Load['mined']> {
    for (;;) {
      const receipt = await rpcCall<Load['mined'] | null>(url, 'eth_getTransactionReceipt', [hash]);
      if (receipt) return receipt;
      await new Promise((again) => setTimeout(again, 20));
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

/** Deploys the contracts that the load calls, with an account that it does not use. */
export async function deployLoad(
  url: string,
  random: Random,
  onAnnounced?: (height: number) => void,
): Promise<Load> {
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
  return new Load(random, { token, counter: await send(1, Counter.bytecode) }, onAnnounced);
}
