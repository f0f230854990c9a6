import { silentLogger } from '@chain/platform';
import { beforeEach, describe, expect, it } from 'vitest';
import { signRaw, TestChain, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readAccount } from '../../node/src/ledger/index.ts';
import { type SignatureQuestion, SignatureThreads } from '../../node/src/signatures/index.ts';
import { DEFAULT_FEE, sendMessage, signLedger } from '../support/ledgerClient.ts';

const [rich, friend, stranger] = [testAccount(0), testAccount(1), testAccount(7)];
const to = friend.evmAddress;

let asked: SignatureQuestion[];
let chain: TestChain;
/** The same chain, where signatures are looked at as they are needed. */
let plain: TestChain;
beforeEach(async () => {
  asked = [];
  const threads = new SignatureThreads({ threads: 0 }, { logger: silentLogger });
  const signatures = {
    ask: (questions: readonly SignatureQuestion[]) => {
      asked.push(...questions);
      return threads.ask(questions);
    },
  };
  chain = await TestChain.start(undefined, undefined, undefined, signatures);
  plain = await TestChain.start();
});

/** What CheckTx says, with its curve work ahead and without. */
async function checked(raw: Uint8Array): Promise<unknown[]> {
  await chain.execution.lookAhead(raw, chain.state, chain.context());
  return [chain, plain].map((each) => refusalOf(each, raw) ?? check(each, raw));
}

function check(of: TestChain, raw: Uint8Array) {
  return of.execution.checkTransaction(raw, of.state, of.context());
}

function refusalOf(of: TestChain, raw: Uint8Array): { message: string; code: string } | undefined {
  try {
    check(of, raw);
    return undefined;
  } catch (error) {
    const { message, code } = error as Error & { code: string };
    return { message, code };
  }
}

async function send(
  account: typeof rich,
  { sequence = 0, mode = 'direct' as 'direct' | 'amino', chainId = 'chain-local-1' } = {},
): Promise<Uint8Array> {
  const { accountNumber } = readAccount(chain.state, account.chainAddress)!;
  const message = sendMessage(account.chainAddress, friend.chainAddress, '10');
  return signLedger(account, [message], {
    accountNumber: Number(accountNumber),
    sequence,
    mode,
    chainId,
    fee: DEFAULT_FEE,
  });
}

/** With a byte of its signature changed, so that nobody can have made it. */
function spoilt(raw: Uint8Array): Uint8Array {
  for (let at = raw.length - 1; at >= 0; at--) {
    const changed = Uint8Array.from(raw);
    changed[at]! ^= 1;
    if (/v, r, s values|verification failed/.test(refusalOf(plain, changed)?.message ?? '')) return changed;
  }
  return expect.unreachable('every byte may be changed') as never;
}

describe('a check whose curve work was done ahead', () => {
  it('says of an EVM transaction what it says without, and asks once', async () => {
    for (const raw of [signRaw(rich, { to }), spoilt(signRaw(rich, { to, nonce: 1n }))]) {
      const [ahead, alone] = await checked(raw);
      expect(ahead).toEqual(alone);
    }
    expect(asked).toHaveLength(2);
    const known = signRaw(rich, { to });
    expect(chain.execution.lookAhead(known, chain.state, chain.context())).toBeUndefined();
    expect(chain.execution.readTransaction(known).evm?.sender).toEqual(rich.evmAddress);
  });

  it('says of a ledger transaction what it says without, and asks once', async () => {
    for (const mode of ['direct', 'amino'] as const) {
      const raw = await send(rich, { mode });
      for (const each of [raw, spoilt(raw), await send(rich, { mode, chainId: 'another' })]) {
        const [ahead, alone] = await checked(each);
        expect(ahead).toEqual(alone);
      }
      expect(chain.execution.lookAhead(raw, chain.state, chain.context())).toBeUndefined();
    }
    expect(asked.length).toBeGreaterThanOrEqual(4);
    const { results } = await chain.block([await send(rich)]);
    expect(results.map(({ code }) => code)).toEqual([0]);
  });

  it('asks nothing for what is refused for less', async () => {
    const cheap = signRaw(rich, { to, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n });
    const noGas = signRaw(rich, { to, gasLimit: 20_000n });
    const impossible = signRaw(rich, { to, type: 0, chainId: 5n });
    for (const raw of [cheap, noGas, impossible, Uint8Array.of(1, 2, 3)]) {
      expect(chain.execution.lookAhead(raw, chain.state, chain.context())).toBeUndefined();
      const [ahead, alone] = await checked(raw);
      expect(ahead).toEqual(alone);
    }
    await chain.block([await send(rich)]);
    expect(chain.execution.lookAhead(await send(rich), chain.state, chain.context())).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('a block whose signatures are looked at ahead comes to what it comes to without', async () => {
    const bad = spoilt(signRaw(friend, { to }));
    const txs = [Uint8Array.of(1, 2, 3), bad, await send(rich), spoilt(await send(friend))];
    for (let i = 0; i < 300; i++) {
      txs.push(signRaw([rich, friend][i % 2]!, { to, value: 1n, nonce: BigInt(i >> 1) }));
      if (i % 10 === 9) txs.push(await send(testAccount(2), { sequence: Math.floor(i / 10) }));
    }
    const [ahead, alone] = [await chain.block(txs), await plain.block(txs)];
    expect(ahead.results).toEqual(alone.results);
    expect(ahead.stores).toEqual(alone.stores);
    expect(ahead.receipts).toEqual(alone.receipts);
    // All that are signed, but the one of the account that the block itself has moved on.
    expect(asked.length).toBeGreaterThanOrEqual(330);
    asked.length = 0;
    expect(
      await chain.execution.replayTransactions({ txs, context: plain.context() }, plain.state),
    ).toBeDefined();
    expect(asked).toEqual([]);
  });

  it('a proposal is read with all its senders asked for together', async () => {
    const txs = [rich, friend, stranger].map((account) => signRaw(account, { to }));
    await chain.execution.readAhead([...txs, Uint8Array.of(9)]);
    expect(asked).toHaveLength(3);
    const senders = txs.map((raw) => chain.execution.readTransaction(raw).evm?.sender);
    expect(senders).toEqual([rich, friend, stranger].map(({ evmAddress }) => evmAddress));
    expect(chain.execution.readAhead(txs)).toBeUndefined();
  });
});
