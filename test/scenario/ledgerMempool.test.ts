import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isCodedError, silentLogger, systemClock } from '@chain/platform';
import { beforeEach, describe, expect, it } from 'vitest';
import { signRaw, TestChain, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readAccount } from '../../node/src/ledger/index.ts';
import {
  createMempool,
  type Mempool,
  type MempoolLimits,
  senderReads,
} from '../../node/src/mempool/index.ts';
import { DEFAULT_FEE, sendMessage, signLedger } from '../support/ledgerClient.ts';

const REFUSED = Number(process.env.MEMPOOL_REFUSED ?? 150);
const [rich, friend] = [testAccount(0), testAccount(1)];
const ALL = { maxGas: -1n, maxBytes: -1 };

let chain: TestChain;
beforeEach(async () => {
  chain = await TestChain.start();
});

/** The pool over the chain's own CheckTx, as a node has it. */
function open(limits: Partial<MempoolLimits> = {}): Mempool {
  return createMempool(limits, {
    checkTransaction: (raw) => chain.execution.checkTransaction(raw, chain.state, chain.context()),
    forgetTransaction: (hash) => chain.execution.forgetTransaction(hash),
    ...senderReads(() => chain.state),
    baseFee: () => 0n,
    clock: systemClock,
    logger: silentLogger,
  });
}

const numberOf = (account: typeof rich): number =>
  Number(readAccount(chain.state, account.chainAddress)!.accountNumber);

/** A send of `from` with this sequence, for this fee in usei. */
function send(
  from: typeof rich,
  sequence: number,
  { fee = 2000, amount = '10', memo = '' } = {},
): Promise<Uint8Array> {
  const to = from === rich ? friend : rich;
  return signLedger(from, [sendMessage(from.chainAddress, to.chainAddress, amount)], {
    accountNumber: numberOf(from),
    sequence,
    memo,
    fee: { ...DEFAULT_FEE, amount: [{ denom: 'usei', amount: String(fee) }] },
  });
}

/** A block of these transactions and what the pool gives, told to the pool. */
async function mine(pool: Mempool, before: readonly Uint8Array[] = []): Promise<number[]> {
  const txs = [...before, ...pool.reap(ALL)];
  const { results, stores } = await chain.block(txs);
  pool.onCommit({ block: { header: { height: chain.height }, txs } } as never, stores);
  return results.map(({ code }) => code);
}

describe('ledger transactions in the mempool', () => {
  it('go by price among all, and by sequence within an account', async () => {
    const pool = open();
    const cheap = [await send(rich, 0), await send(rich, 1, { fee: 9000 })];
    const dear = await send(friend, 0, { fee: 4000 });
    const evm = signRaw(testAccount(2), {
      to: rich.evmAddress,
      value: 1n,
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    for (const raw of [...cheap, evm, dear]) await pool.add(raw);
    // 2,000 usei for 200,000 gas are 10^10 wei a gas.
    expect(pool.reap(ALL)).toEqual([dear, ...cheap, evm]);
    expect(await mine(pool)).toEqual([0, 0, 0, 0]);
    expect(pool.size).toBe(0);
  });

  it('know neither gaps nor replacements, and stand in line only once', async () => {
    const pool = open();
    await pool.add(await send(rich, 0));
    await expect(pool.add(await send(rich, 2))).rejects.toMatchObject({
      code: 'MEMPOOL_SEQUENCE',
      fields: { abciCode: 32, codespace: 'sdk' },
    });
    await expect(pool.add(await send(rich, 0, { fee: 9000 }))).rejects.toMatchObject({
      code: 'MEMPOOL_SEQUENCE',
    });
    await expect(pool.add(await send(rich, 0))).rejects.toMatchObject({ code: 'MEMPOOL_DUPLICATE' });
    expect(pool.size).toBe(1);
  });

  it('leave when a block refuses them, and do not come again', async () => {
    const pool = open();
    const wallet = testAccount(5);
    const funding = sendMessage(rich.chainAddress, wallet.chainAddress, '50000');
    await chain.block([await signLedger(rich, [funding], { accountNumber: numberOf(rich) })]);
    const number = numberOf(wallet);
    for (const sequence of [0, 1]) {
      const message = sendMessage(wallet.chainAddress, rich.chainAddress, '2500');
      await pool.add(await signLedger(wallet, [message], { accountNumber: number, sequence }));
    }
    await expect(
      pool.add(signRaw(wallet, { to: rich.evmAddress, value: 41_001n * 10n ** 12n })),
    ).rejects.toMatchObject({ code: 'MEMPOOL_FUNDS', fields: { abciCode: 5 } });
    // Another node's pool took it: what is left does not pay for a fee.
    const prices = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 0n, gasLimit: 21_000n };
    const spent = signRaw(wallet, {
      to: rich.evmAddress,
      value: 49_900n * 10n ** 12n - 21_000n * 10n ** 9n,
      ...prices,
    });
    expect(await mine(pool, [spent])).toEqual([0, 5, 5]);
    expect(pool.size).toBe(0);
    expect(await mine(pool)).toEqual([]);
  });

  it('make room for dearer ones only', async () => {
    const pool = open({ maxTransactions: 2 });
    await pool.add(await send(rich, 0, { fee: 3000 }));
    await pool.add(await send(rich, 1, { fee: 2000 }));
    await expect(pool.add(await send(friend, 0, { fee: 2000 }))).rejects.toMatchObject({
      code: 'MEMPOOL_FULL',
    });
    const dear = await send(friend, 0, { fee: 5000 });
    await pool.add(dear);
    expect(pool.reap(ALL)[0]).toEqual(dear);
    expect(pool.size).toBe(2);
    const long = await send(rich, 0, { memo: 'm'.repeat(200) });
    await expect(open({ maxTransactionBytes: 300 }).add(long)).rejects.toMatchObject({
      code: 'MEMPOOL_TX_TOO_LARGE',
    });
    const few = open({ maxAccountTransactions: 1 });
    await few.add(await send(rich, 0));
    await expect(few.add(await send(rich, 1))).rejects.toMatchObject({ code: 'MEMPOOL_ACCOUNT_FULL' });
  });

  it(`leave nothing behind when ${REFUSED.toLocaleString('en-US')} are refused`, {
    timeout: 3_600_000,
  }, async () => {
    const pool = open();
    const good = [await send(rich, 0), await send(rich, 5), await send(rich, 0, { fee: 1 })];
    const refuse = async (i: number): Promise<void> => {
      const bad = Uint8Array.from(good[i % good.length]!);
      // Within the signature, or anywhere: bad signatures, broken protobuf.
      new DataView(bad.buffer).setUint32(i % 4 === 0 ? i % (bad.length - 4) : bad.length - 40, i + 1);
      // Not an expectation each: those are kept by the test until its end.
      const error = await pool.add(bad).catch((it: unknown) => it);
      if (isCodedError(error) && typeof error.fields?.abciCode === 'number') refused++;
    };
    let refused = 0;
    let i = 0;
    while (i < REFUSED / 3) await refuse(i++);
    const before = memory();
    while (i < REFUSED) await refuse(i++);
    expect(refused).toBe(REFUSED);
    expect([pool.size, pool.sizeBytes, pool.content()]).toEqual([0, 0, []]);
    expect(memory() - before).toBeLessThan(40 * 2 ** 20);
  });
});

/** What stays after a collection, in bytes. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
