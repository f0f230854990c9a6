import { createPublicClient, type Hex, http, toHex } from 'viem';
import { developmentAccount } from '../accounts.ts';
import type { Checker } from './checker.ts';
import type { CountedHttp } from './countedHttp.ts';

const EVERY_MS = 200;
const MINED_MS = 120_000;
const GWEI = 10n ** 9n;

export interface LoadTarget {
  readonly url: string;
  readonly chainId: number;
}

/** Transfers of one wei, one after another, and reads whose answers are known within bounds. */
export class ViemLoad {
  readonly #target: LoadTarget;
  readonly #checker: Checker;
  readonly #client;
  readonly #account = developmentAccount(3);
  readonly #friend = toHex(BigInt(Date.now()), { size: 20 });
  /** Heights of the blocks that hold the transfers. */
  readonly #mined: bigint[] = [];
  #sent = 0;
  #isEnding = false;

  constructor(target: LoadTarget, connection: CountedHttp, checker: Checker) {
    this.#target = target;
    this.#checker = checker;
    const fetchFn = async (_input: unknown, init?: RequestInit): Promise<Response> => {
      const { status, text } = await connection.post(target.url, String(init?.body));
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    };
    // A batch is one request: one node answers it, in its order.
    const transport = http(target.url, { fetchFn: fetchFn as typeof fetch, retryCount: 0, batch: true });
    this.#client = createPublicClient({ transport, cacheTime: 0, pollingInterval: EVERY_MS });
  }

  get transfers(): number {
    return this.#mined.length;
  }

  async run(): Promise<void> {
    await Promise.all([this.#read(), this.#write()]);
  }

  end(): void {
    this.#isEnding = true;
  }

  async #read(): Promise<void> {
    while (!this.#isEnding) {
      const before = [...this.#mined];
      const answer = await this.#checker.ask('reads', () =>
        Promise.all([
          this.#client.getBlockNumber({ cacheTime: 0 }),
          this.#client.getChainId(),
          this.#client.getBalance({ address: this.#friend }),
        ]),
      );
      if (answer) {
        const [height, chainId, balance] = answer;
        const least = before.filter((at) => at <= height).length;
        this.#checker.expect(chainId === this.#target.chainId, `chain id ${chainId}`);
        this.#checker.expect(
          balance >= least && balance <= this.#sent,
          `balance ${balance} at ${height}, which must be ${least} to ${this.#sent}`,
        );
        this.#checker.expect(
          height + 60n >= (before.at(-1) ?? 0n),
          `height ${height}, when ${before.at(-1)} was told before`,
        );
      }
      await pause(EVERY_MS);
    }
  }

  async #write(): Promise<void> {
    const { address } = this.#account;
    const first = await this.#checker.ask('nonce', () => this.#client.getTransactionCount({ address }));
    for (let nonce = first ?? 0; !this.#isEnding; nonce++) {
      const raw = await this.#account.signTransaction({
        type: 'eip1559',
        chainId: this.#target.chainId,
        nonce,
        to: this.#friend,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 1000n * GWEI,
        maxPriorityFeePerGas: GWEI,
      });
      this.#sent++;
      const hash = await this.#checker.ask('send', () =>
        this.#client.sendRawTransaction({ serializedTransaction: raw }),
      );
      if (!hash) return;
      if (!(await this.#isMined(hash))) return;
    }
  }

  async #isMined(hash: Hex): Promise<boolean> {
    const deadline = Date.now() + MINED_MS;
    while (Date.now() < deadline) {
      const receipt = await this.#checker.ask('receipt', () =>
        this.#client.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
      );
      if (receipt) {
        this.#checker.expect(receipt.status === '0x1', `status ${receipt.status} of ${hash}`);
        this.#mined.push(BigInt(receipt.blockNumber));
        return true;
      }
      await pause(EVERY_MS);
    }
    this.#checker.expect(false, `${hash} is not mined`);
    return false;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms));
