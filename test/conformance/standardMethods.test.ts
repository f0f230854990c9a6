import { keccak256, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type ConformanceChain, startConformanceChain } from './conformanceChain.ts';

type Fields = Readonly<Record<string, unknown>>;

const SAME = ['latest', 'safe', 'finalized'];
const SLOT_0 = `0x${'00'.repeat(32)}`;
const UNKNOWN = `0x${'12'.repeat(32)}`;
const word = (value: number | bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

let chain: ConformanceChain;
let call: ConformanceChain['call'];
beforeAll(async () => {
  chain = await startConformanceChain();
  ({ call } = chain);
});
afterAll(() => chain?.close());

/** The block in question in all forms of BLOCK_ID. */
const forms = () => {
  const { number, hash } = chain.block;
  return [
    number,
    hash,
    { blockNumber: number },
    { blockHash: hash },
    { blockHash: hash, requireCanonical: true },
  ];
};
/** The number of a block some blocks earlier. */
const numberBefore = (number: string, blocks: number): string =>
  `0x${(Number(number) - blocks).toString(16)}`;
const code = (promise: Promise<unknown>) =>
  promise.then(String, (error: { code: number }) => String(error.code));

describe('state', () => {
  it('eth_getBalance gives hex wei at every BLOCK_ID', async () => {
    const paid = await call<{ gasUsed: string; effectiveGasPrice: string }>(
      'eth_getTransactionReceipt',
      chain.transactions[2],
    );
    const [parent, at] = await Promise.all(
      [numberBefore(chain.block.number, 1), chain.block.number].map((number) =>
        call<string>('eth_getBalance', chain.alice, number),
      ),
    );
    expect(BigInt(parent!) - BigInt(at!)).toBe(BigInt(paid.gasUsed) * BigInt(paid.effectiveGasPrice));
    for (const form of forms()) expect(await call('eth_getBalance', chain.alice, form)).toBe(at);
    const latest = await call('eth_getBalance', chain.alice, 'latest');
    for (const tag of SAME) expect(await call('eth_getBalance', chain.alice, tag)).toBe(latest);
    expect(await call('eth_getBalance', `0x${'99'.repeat(20)}`, 'latest')).toBe('0x0');
  });

  it('eth_getCode gives the code at every BLOCK_ID, and 0x where none is', async () => {
    const runtime = await call('eth_getCode', chain.counter, 'latest');
    expect(runtime).toMatch(/^0x600054600101/);
    for (const form of forms()) expect(await call('eth_getCode', chain.counter, form)).toBe(runtime);
    expect(await call('eth_getCode', chain.alice, 'latest')).toBe('0x');
    expect(await call('eth_getCode', '0x0000000000000000000000000000000000001004', 'latest')).toBe('0x');
  });

  it('eth_getStorageAt gives the word at every BLOCK_ID', async () => {
    for (const form of forms())
      expect(await call('eth_getStorageAt', chain.counter, '0x0', form)).toBe(word(3));
    expect(await call('eth_getStorageAt', chain.counter, SLOT_0, numberBefore(chain.block.number, 2))).toBe(
      word(1),
    );
    expect(await call('eth_getStorageAt', chain.counter, '0x7', 'latest')).toBe(SLOT_0);
  });

  it.each([
    ['eth_getBalance', () => [chain.alice]],
    ['eth_getCode', () => [chain.counter]],
    ['eth_getStorageAt', () => [chain.counter, '0x0']],
    ['eth_getTransactionCount', () => [chain.alice]],
  ])("%s takes every tag; the earliest state is the first block's", async (method, params) => {
    const at = (tag: string) => call(method, ...params(), tag);
    const latest = await at('latest');
    for (const tag of SAME) expect(await at(tag)).toBe(latest);
    expect(await at('pending')).toMatch(/^0x/);
    expect(await at('earliest')).toBe(await at('0x1'));
    expect(await at('0x1')).not.toBe(latest);
  });

  it('eth_getTransactionCount counts what an account has sent', async () => {
    expect(await call('eth_getTransactionCount', chain.alice, chain.block.number)).toBe('0x5');
    const latest = await call('eth_getTransactionCount', chain.alice, 'latest');
    expect(latest).toBe('0x7');
    for (const tag of SAME) expect(await call('eth_getTransactionCount', chain.alice, tag)).toBe(latest);
  });
});

describe('transactions', () => {
  it('eth_sendRawTransaction takes a signed transaction and gives its hash', async () => {
    const raw = await chain.freshTransaction();
    const hash = await call('eth_sendRawTransaction', raw);
    expect(hash).toBe(keccak256(raw));
    await until('the receipt', async () => (await call('eth_getTransactionReceipt', hash)) ?? undefined);
    expect(await code(call('eth_sendRawTransaction', raw))).toBe('-32000');
  });

  it('eth_getTransactionByHash gives what was signed, and where it was mined', async () => {
    for (const [i, hash] of chain.transactions.entries()) {
      const transaction = await call<Fields>('eth_getTransactionByHash', hash);
      expect(transaction).toMatchObject({
        hash,
        from: chain.alice,
        to: chain.counter,
        input: word(i + 1),
        nonce: `0x${i + 2}`,
        type: ['0x0', '0x1', '0x2', '0x4'][i],
        blockNumber: numberBefore(chain.block.number, 2 - i),
        transactionIndex: '0x0',
      });
      const raw = await call<`0x${string}`>('eth_getRawTransactionByHash', hash);
      const sender = await recoverTransactionAddress({ serializedTransaction: raw as never });
      expect(sender.toLowerCase()).toBe(transaction.from);
    }
    expect(await call('eth_getTransactionByHash', chain.waiting)).toMatchObject({ blockHash: null });
    expect(await call('eth_getTransactionByHash', UNKNOWN)).toBeNull();
  });

  it('eth_getTransactionByBlockNumberAndIndex finds by TAG_A and index', async () => {
    const transaction = await call('eth_getTransactionByHash', chain.transactions[2]);
    expect(await call('eth_getTransactionByBlockNumberAndIndex', chain.block.number, '0x0')).toEqual(
      transaction,
    );
    const newest = await call('eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0');
    for (const tag of SAME) {
      expect(await call('eth_getTransactionByBlockNumberAndIndex', tag, '0x0')).toEqual(newest);
    }
    expect(await call('eth_getTransactionByBlockNumberAndIndex', 'earliest', '0x0')).toBeNull();
    expect(await call('eth_getTransactionByBlockNumberAndIndex', chain.block.number, '0x1')).toBeNull();
  });

  it('eth_getTransactionByBlockHashAndIndex finds by hash and index', async () => {
    const transaction = await call('eth_getTransactionByHash', chain.transactions[2]);
    expect(await call('eth_getTransactionByBlockHashAndIndex', chain.block.hash, '0x0')).toEqual(transaction);
    expect(await call('eth_getTransactionByBlockHashAndIndex', UNKNOWN, '0x0')).toBeNull();
  });

  it('eth_getTransactionReceipt tells how a transaction ended', async () => {
    const receipt = await call<Fields>('eth_getTransactionReceipt', chain.transactions[2]);
    expect(receipt).toMatchObject({
      transactionHash: chain.transactions[2],
      blockHash: chain.block.hash,
      status: '0x1',
      to: chain.counter,
      contractAddress: null,
      logs: [{ address: chain.counter, topics: [word(3)], data: word(3) }],
    });
    expect(await call('eth_getTransactionReceipt', chain.failed)).toMatchObject({ status: '0x0', logs: [] });
    expect(await call('eth_getTransactionReceipt', chain.waiting)).toBeNull();
    expect(await call('eth_getTransactionReceipt', UNKNOWN)).toBeNull();
  });
});

describe('blocks', () => {
  it('eth_getBlockByNumber gives a block by TAG_B, with hashes or whole transactions', async () => {
    const { number, hash } = chain.block;
    const block = await call<Fields>('eth_getBlockByNumber', number, false);
    expect(block).toMatchObject({ number, hash, transactions: [chain.transactions[2]] });
    const full = await call<Fields>('eth_getBlockByNumber', number, true);
    expect(full.transactions).toEqual([await call('eth_getTransactionByHash', chain.transactions[2])]);
    const latest = await call('eth_getBlockByNumber', 'latest', false);
    for (const tag of SAME) expect(await call('eth_getBlockByNumber', tag, false)).toEqual(latest);
    expect(await call('eth_getBlockByNumber', 'earliest', false)).toMatchObject({ number: '0x0' });
    expect(await call('eth_getBlockByNumber', '0xffffff', false)).toBeNull();
  });

  it('eth_getBlockByHash gives the same block by hash', async () => {
    for (const full of [true, false]) {
      const block = await call('eth_getBlockByNumber', chain.block.number, full);
      expect(await call('eth_getBlockByHash', chain.block.hash, full)).toEqual(block);
    }
    expect(await call('eth_getBlockByHash', UNKNOWN, false)).toBeNull();
  });

  it('eth_getBlockReceipts gives the receipts of a block by BLOCK_ID', async () => {
    const receipt = await call('eth_getTransactionReceipt', chain.transactions[2]);
    for (const form of forms()) expect(await call('eth_getBlockReceipts', form)).toEqual([receipt]);
    const newest = await call('eth_getBlockReceipts', 'latest');
    for (const tag of [...SAME, 'pending']) expect(await call('eth_getBlockReceipts', tag)).toEqual(newest);
    expect(await call('eth_getBlockReceipts', 'earliest')).toEqual([]);
    expect(await call('eth_getBlockReceipts', UNKNOWN)).toBeNull();
  });

  it('eth_getBlockTransactionCountByNumber counts EVM transactions by TAG_B', async () => {
    expect(await call('eth_getBlockTransactionCountByNumber', chain.block.number)).toBe('0x1');
    for (const tag of SAME) expect(await call('eth_getBlockTransactionCountByNumber', tag)).toBe('0x1');
    expect(await call('eth_getBlockTransactionCountByNumber', 'earliest')).toBe('0x0');
    expect(await call('eth_getBlockTransactionCountByNumber', '0xffffff')).toBeNull();
  });

  it('eth_getBlockTransactionCountByHash counts EVM transactions by hash', async () => {
    expect(await call('eth_getBlockTransactionCountByHash', chain.block.hash)).toBe('0x1');
    expect(await call('eth_getBlockTransactionCountByHash', UNKNOWN)).toBeNull();
  });
});

describe('the chain', () => {
  it('eth_blockNumber is the newest committed block', async () => {
    const number = await call('eth_blockNumber');
    expect(await call('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number });
  });

  it('eth_chainId is hex, and net_version the same in decimal', async () => {
    expect(await call('eth_chainId')).toBe('0xae3f2');
    expect(await call('net_version')).toBe('713714');
  });

  it('eth_coinbase is the fee collector, which fees go to; COINBASE of a call is the miner', async () => {
    const collector = await call<string>('eth_coinbase');
    const { miner } = await call<Fields>('eth_getBlockByNumber', 'latest', false);
    const shown = await call('eth_call', { data: '0x415f5260205ff3' });
    expect(shown).toBe(word(BigInt(miner as string)));
    expect(BigInt(await call<string>('eth_getBalance', collector, 'latest'))).toBeGreaterThan(0n);
  });

  it('eth_gasPrice is the median of the newest block, at least the next base fee', async () => {
    const { effectiveGasPrice } = (await call<Fields[]>('eth_getBlockReceipts', 'latest'))[0]!;
    const next = BigInt(await call<string>('eth_baseFee'));
    const price = BigInt(await call<string>('eth_gasPrice'));
    const paid = BigInt(effectiveGasPrice as string);
    expect(price).toBe(paid > next ? paid : next);
  });

  it('eth_feeHistory has base fees with the next one, gas ratios, and rewards', async () => {
    const history = await call<{ baseFeePerGas: string[]; gasUsedRatio: number[]; reward: string[][] }>(
      'eth_feeHistory',
      '0x3',
      chain.block.number,
      [25, 75],
    );
    expect(history).toMatchObject({ oldestBlock: numberBefore(chain.block.number, 2) });
    expect(history.baseFeePerGas).toHaveLength(4);
    expect(history.gasUsedRatio).toHaveLength(3);
    expect(history.reward.map((row) => row.length)).toEqual([2, 2, 2]);
    const { baseFeePerGas } = await call<Fields>('eth_getBlockByNumber', chain.block.number, false);
    expect(history.baseFeePerGas[2]).toBe(baseFeePerGas);
    const latest = await call('eth_feeHistory', '0x3', 'latest', [25, 75]);
    for (const tag of SAME) expect(await call('eth_feeHistory', '0x3', tag, [25, 75])).toEqual(latest);
    // A decimal count is the same.
    expect(await call('eth_feeHistory', '3', chain.block.number, [25, 75])).toEqual(history);
  });

  it('web3_clientVersion names program and release', async () => {
    expect(await call('web3_clientVersion')).toMatch(/^anvil\/v1\.7\.1-chaind-6\.5\.0\//);
  });
});

describe('simulations', () => {
  it('eth_call runs on the block asked for and makes no transaction', async () => {
    const height = await call('eth_blockNumber');
    expect(await call('eth_call', { to: chain.counter }, chain.block.number)).toBe(word(4));
    expect(await call('eth_call', { to: chain.counter }, chain.block.hash)).toBe(word(4));
    const latest = await call('eth_call', { to: chain.counter });
    expect(await call('eth_call', { to: chain.counter }, 'latest')).toBe(latest);
    expect(await call('eth_call', { to: chain.counter }, 'pending')).toBe(latest);
    // The contract was not there yet.
    expect(await call('eth_call', { to: chain.counter }, 'earliest')).toBe('0x');
    expect(await call('eth_blockNumber')).toBe(height);
  });

  it('eth_call reads every member of the call object', async () => {
    // Returns caller, value, gas price and call data.
    const shows = '0x335f52346020523a6040525f3560605260805ff3';
    const to = chain.bob;
    const fields = {
      from: chain.alice,
      to,
      gas: '0x186a0',
      gasPrice: '0x12a05f200',
      value: '0x5',
      data: word(9),
    };
    const shown = await call('eth_call', fields, 'latest', { [to]: { code: shows } });
    const expected = [BigInt(chain.alice), 5n, 0x12a05f200n, 9n]
      .map((value) => word(value).slice(2))
      .join('');
    expect(shown).toBe(`0x${expected}`);
  });

  it('eth_estimateGas is enough, hardly more than needed, and broadcasts nothing', async () => {
    const request = { from: chain.alice, to: chain.counter };
    for (const block of [[], ['latest'], ['pending'], [chain.block.number]]) {
      const gas = await call<string>('eth_estimateGas', request, ...block);
      await call('eth_call', { ...request, gas }, ...block);
      const less = `0x${((BigInt(gas) * 95n) / 100n).toString(16)}`;
      expect(await code(call('eth_call', { ...request, gas: less }, ...block))).toBe('-32000');
    }
    const transfer = { from: chain.alice, to: chain.bob, value: '0x1' };
    for (const block of [[], ['earliest']]) {
      expect(await call('eth_estimateGas', transfer, ...block)).toBe('0x5208');
    }
  });
});
