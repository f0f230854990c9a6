import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, FRIEND, GWEI, growBlocks, sign, word } from '../testTransactions.fixture.ts';

const [alice] = ACCOUNTS.map(toHexData);
const [counter, friend] = [toHexData(COUNTER), toHexData(FRIEND)];
const PATIENCE = { timeout: 30_000, interval: 10 };
let rpc: RpcFixture;
beforeEach(async () => {
  rpc = await openRpcFixture();
  await growBlocks(rpc);
});
afterEach(() => rpc.close());

const send = async (transaction: ReturnType<typeof sign>): Promise<string> =>
  (await rpc.result('eth_sendRawTransaction', toHexData(transaction.raw))) as string;

describe('pending', () => {
  it('is the newest block and its state while nothing waits', async () => {
    expect(await rpc.result('eth_getBlockByNumber', 'pending', true)).toEqual(
      await rpc.result('eth_getBlockByNumber', 'latest', true),
    );
    // A gap in the nonces: no block could take it.
    await send(sign(0, { nonce: 9n, to: FRIEND, value: 5n }));
    expect(await rpc.result('eth_getBlockByNumber', 'pending', false)).toMatchObject({ number: '0x4' });
    expect(await rpc.result('eth_getBalance', friend, 'pending')).toBe('0x3e8');
  });

  it('is the state with the transactions that wait, and the newest state is not', async () => {
    await send(sign(0, { nonce: 2n, to: COUNTER, data: word(9) }));
    await send(sign(0, { nonce: 3n, to: FRIEND, value: 5n }));
    expect(await rpc.result('eth_getBalance', friend, 'pending')).toBe('0x3ed');
    expect(await rpc.result('eth_getBalance', friend, 'latest')).toBe('0x3e8');
    expect(await rpc.result('eth_getStorageAt', counter, '0x0', 'pending')).toBe(toHexData(word(5)));
    expect(await rpc.result('eth_getStorageAt', counter, '0x0', 'latest')).toBe(toHexData(word(4)));
    expect(await rpc.result('eth_getTransactionCount', alice, 'pending')).toBe('0x4');
    expect(await rpc.result('eth_call', { to: counter }, 'pending')).toBe(toHexData(word(6)));
    expect(await rpc.result('eth_call', { to: counter }, { blockNumber: 'pending' })).toBe(
      toHexData(word(6)),
    );
    expect(await rpc.result('eth_call', { to: counter }, 'latest')).toBe(toHexData(word(5)));
    const blocks = await rpc.result(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [{ to: counter }] }] },
      'pending',
    );
    expect(blocks).toMatchObject([{ number: '0x6', calls: [{ returnData: toHexData(word(6)) }] }]);
  });

  it('follows the pool and the chain', async () => {
    const transaction = sign(0, { nonce: 2n, to: FRIEND, value: 5n });
    await send(transaction);
    expect(await rpc.result('eth_getBalance', friend, 'pending')).toBe('0x3ed');
    await send(sign(0, { nonce: 3n, to: FRIEND, value: 5n }));
    // One that took long to make is kept for a while.
    await expect.poll(() => rpc.result('eth_getBalance', friend, 'pending'), PATIENCE).toBe('0x3f2');
    await rpc.block(transaction);
    expect(await rpc.result('eth_getBalance', friend, 'latest')).toBe('0x3ed');
    expect(await rpc.result('eth_getBalance', friend, 'pending')).toBe('0x3f2');
    await rpc.block(sign(0, { nonce: 3n, to: FRIEND, value: 5n }));
    expect(await rpc.result('eth_getBlockByNumber', 'pending', false)).toMatchObject({ number: '0x6' });
  });

  it('is a block without hash whose transactions have no place', async () => {
    const cheap = await send(sign(2, { nonce: 2n, to: COUNTER, data: word(1), maxPriorityFeePerGas: 1n }));
    const dear = await send(sign(0, { nonce: 2n, to: FRIEND, value: 5n, maxPriorityFeePerGas: 2n * GWEI }));
    const latest = (await rpc.result('eth_getBlockByNumber', 'latest', false)) as Record<string, string>;
    const block = (await rpc.result('eth_getBlockByNumber', 'pending', false)) as Record<string, unknown>;
    expect(block).toMatchObject({
      number: '0x5',
      hash: null,
      nonce: null,
      parentHash: latest.hash,
      baseFeePerGas: await rpc.result('eth_baseFee'),
      transactions: [dear, cheap],
      stateRoot: toHexData(rpc.chain.appHash),
    });
    expect(Object.keys(block)).toEqual(Object.keys(latest));
    const full = (await rpc.result('eth_getBlockByNumber', 'pending', true)) as { transactions: unknown[] };
    expect(full.transactions).toEqual([
      expect.objectContaining({ hash: dear, blockHash: null, transactionIndex: null, from: alice }),
      expect.objectContaining({ hash: cheap, blockNumber: null }),
    ]);
    expect(await rpc.result('eth_getBlockTransactionCountByNumber', 'pending')).toBe(toHexQuantity(2));
    const byIndex = (index: string) =>
      rpc.result('eth_getTransactionByBlockNumberAndIndex', 'pending', index);
    expect(await byIndex('0x1')).toMatchObject({ hash: cheap, blockHash: null });
    expect(await byIndex('0x2')).toBeNull();
  });

  it('is made once for all that ask at a time', async () => {
    await send(sign(0, { nonce: 2n, to: FRIEND, value: 5n }));
    const balances = Array.from({ length: 20 }, () => rpc.result('eth_getBalance', friend, 'pending'));
    expect(new Set(await Promise.all(balances))).toEqual(new Set(['0x3ed']));
  });
});
