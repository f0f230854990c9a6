import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { BroadcastTxError, SigningStargateClient } from '@cosmjs/stargate';
import { Comet38Client, type RpcClient } from '@cosmjs/tendermint-rpc';
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { developmentAccount } from '../accounts.ts';
import type { Checker } from './checker.ts';
import type { CountedHttp } from './countedHttp.ts';
import { pause } from './viemLoad.ts';

/** A good deal below what the limiter lets a client have. */
const EVERY_MS = 500;
const MINED_MS = 120_000;
/** A node that has just taken over may be so far behind the one before. */
const BEHIND_MS = 10_000;
const WRONG_SEQUENCE = 32;
const FEE = { amount: [{ denom: 'usei', amount: '4000' }], gas: '200000' };

/** Transfers of one unit over the consensus RPC, one after another, each looked for until it is in a block. */
export class CosmjsLoad {
  readonly #url: string;
  readonly #chainId: string;
  readonly #connection: CountedHttp;
  readonly #checker: Checker;
  transfers = 0;
  #isEnding = false;

  constructor(
    { url, chainId }: { readonly url: string; readonly chainId: string },
    connection: CountedHttp,
    checker: Checker,
  ) {
    this.#url = url;
    this.#chainId = chainId;
    this.#connection = connection;
    this.#checker = checker;
  }

  end(): void {
    this.#isEnding = true;
  }

  async run(): Promise<void> {
    const key = developmentAccount(4).getHdKey().privateKey!;
    const signer = await DirectSecp256k1Wallet.fromKey(key, 'chain');
    const address = (await signer.getAccounts())[0]!.address;
    const comet = Comet38Client.create(this.#rpc());
    const client = await SigningStargateClient.createWithSigner(comet, signer);
    const account = await this.#checker.ask('account', () => client.getAccount(address));
    if (!account) return;
    const { accountNumber } = account;
    for (let { sequence } = account; !this.#isEnding; sequence++) {
      const amount = [{ denom: 'usei', amount: '1' }];
      const value = { fromAddress: address, toAddress: address, amount };
      const signing = { accountNumber, sequence, chainId: this.#chainId };
      const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value };
      const raw = await client.sign(address, [message], FEE, '', signing);
      const hash = await this.#checker.ask('broadcast', () => broadcast(client, TxRaw.encode(raw).finish()));
      if (hash === undefined || !(await this.#isMined(client, hash))) return;
      this.transfers++;
    }
  }

  async #isMined(client: SigningStargateClient, hash: string): Promise<boolean> {
    const deadline = Date.now() + MINED_MS;
    while (Date.now() < deadline) {
      await pause(EVERY_MS);
      const found = await this.#checker.ask('transaction', () => client.getTx(hash));
      if (!found) continue;
      this.#checker.expect(found.code === 0, `code ${found.code} of ${hash}`);
      return true;
    }
    this.#checker.expect(false, `${hash} is not in a block`);
    return false;
  }

  #rpc(): RpcClient {
    return {
      execute: async (request) => {
        const { status, text } = await this.#connection.post(this.#url, JSON.stringify(request));
        if (status !== 200) throw new RangeError(`HTTP ${status}: ${text.slice(0, 200)}`);
        const answer = JSON.parse(text) as { error?: object };
        if (answer.error) throw new RangeError(JSON.stringify(answer.error));
        return answer as never;
      },
      disconnect: () => undefined,
    };
  }
}

/** Asks again while the node has not the block yet in which the sequence before was used. */
async function broadcast(client: SigningStargateClient, raw: Uint8Array): Promise<string> {
  const deadline = Date.now() + BEHIND_MS;
  for (;;) {
    try {
      return await client.broadcastTxSync(raw);
    } catch (error) {
      const isBehind = error instanceof BroadcastTxError && error.code === WRONG_SEQUENCE;
      if (!isBehind || Date.now() > deadline) throw error;
      await pause(EVERY_MS);
    }
  }
}
