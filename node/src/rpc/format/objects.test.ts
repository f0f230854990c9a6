import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { GENESIS_HASH, openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, FRIEND, GWEI, growBlocks, REVERTER, word } from '../testTransactions.fixture.ts';

const ZERO_HASH = `0x${'00'.repeat(32)}`;
const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
const EMPTY_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const EMPTY_TRANSACTIONS = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const TAGS = ['latest', 'safe', 'finalized', 'pending'];
const counter = toHexData(COUNTER);

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

const hashOf = (height: number) => toHexData(records[height - 1]!.block.id.hash);
const transactionHash = (height: number, index: number) =>
  toHexData(records[height - 1]!.receipts[index]!.transactionHash);
const errorOf = async (method: string, ...params: unknown[]) => (await rpc.call(method, ...params)).error;

describe('block objects', () => {
  it('have the members of the reference, in its order', async () => {
    const { header } = records[1]!.block;
    const block = await rpc.result('eth_getBlockByNumber', '0x2', false);
    const { receipts } = records[1]!;
    expect(block).toEqual({
      baseFeePerGas: toHexQuantity(records[1]!.baseFee),
      difficulty: '0x0',
      extraData: '0x',
      gasLimit: toHexQuantity(10_000_000),
      gasUsed: toHexQuantity(receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
      hash: hashOf(2),
      logsBloom: expect.stringMatching(/^0x[0-9a-f]{512}$/),
      miner: `0x${'09'.repeat(20)}`,
      mixHash: ZERO_HASH,
      nonce: '0x0000000000000000',
      number: '0x2',
      parentHash: hashOf(1),
      receiptsRoot: toHexData(header.lastResultsHash),
      sha3Uncles: EMPTY_UNCLES,
      size: toHexQuantity(records[1]!.block.sizeBytes),
      stateRoot: toHexData(header.appHash),
      timestamp: toHexQuantity(1_700_000_002),
      totalDifficulty: '0x0',
      transactions: [0, 1, 2, 3].map((i) => transactionHash(2, i)),
      transactionsRoot: `0x${'da'.repeat(32)}`,
      uncles: [],
    });
    expect(Object.keys(block as object)).toEqual(Object.keys(block as object).sort());
    expect(await rpc.result('eth_getBlockByHash', hashOf(2), false)).toEqual(block);
  });

  it('have whole transactions on demand, and else the same members', async () => {
    const block = (await rpc.result('eth_getBlockByHash', hashOf(2), true)) as { transactions: unknown[] };
    const { transactions, ...others } = (await rpc.result('eth_getBlockByHash', hashOf(2), false)) as {
      transactions: unknown[];
    };
    expect(others).toMatchObject({ totalDifficulty: '0x0' });
    expect(block).toEqual({ ...others, transactions: block.transactions });
    expect(block.transactions[2]).toEqual(
      await rpc.result('eth_getTransactionByHash', transactionHash(2, 2)),
    );
  });

  it('of an empty block and of the first one have fixed hashes', async () => {
    expect(await rpc.result('eth_getBlockByNumber', '0x3', true)).toMatchObject({
      transactions: [],
      transactionsRoot: EMPTY_TRANSACTIONS,
      gasUsed: '0x0',
    });
    expect(await rpc.result('eth_getBlockByNumber', '0x1', false)).toMatchObject({ parentHash: ZERO_HASH });
  });

  it.each(['0x0', 'earliest'])('of block 0 are fixed (%s)', async (id) => {
    const genesis = await rpc.result('eth_getBlockByNumber', id, true);
    expect(genesis).toMatchObject({
      hash: toHexData(GENESIS_HASH),
      number: '0x0',
      parentHash: ZERO_HASH,
      stateRoot: EMPTY_TRANSACTIONS,
      receiptsRoot: EMPTY_TRANSACTIONS,
      transactionsRoot: EMPTY_TRANSACTIONS,
      miner: `0x${'00'.repeat(20)}`,
      timestamp: '0x0',
      transactions: [],
      uncles: [],
    });
    expect(genesis).not.toHaveProperty('totalDifficulty');
    expect(await rpc.result('eth_getBlockByHash', toHexData(GENESIS_HASH), false)).toEqual(genesis);
    expect(await rpc.result('eth_getBlockReceipts', id)).toEqual([]);
    expect(await rpc.result('eth_getBlockTransactionCountByNumber', id)).toBe('0x0');
  });

  it.each(TAGS)('are the newest at %s', async (tag) => {
    expect(await rpc.result('eth_getBlockByNumber', tag, false)).toMatchObject({ number: '0x4' });
    expect(await rpc.result('eth_getBlockTransactionCountByNumber', tag)).toBe('0x2');
  });

  it('are null when the block is in the future or unknown', async () => {
    for (const [method, ...params] of [
      ['eth_getBlockByNumber', '0x5', false],
      ['eth_getBlockByNumber', '0x7fffffffffffffff', false],
      ['eth_getBlockByHash', UNKNOWN_HASH, false],
      ['eth_getBlockByHash', ZERO_HASH, true],
      ['eth_getBlockReceipts', '0x5'],
      ['eth_getBlockReceipts', UNKNOWN_HASH],
      ['eth_getBlockTransactionCountByNumber', '0x5'],
      ['eth_getBlockTransactionCountByHash', UNKNOWN_HASH],
      ['eth_getTransactionByBlockNumberAndIndex', '0x5', '0x0'],
      ['eth_getTransactionByBlockHashAndIndex', UNKNOWN_HASH, '0x0'],
    ] as const) {
      expect(await rpc.call(method, ...params)).toEqual({ jsonrpc: '2.0', id: 1, result: null });
    }
  });
});

describe('transaction objects', () => {
  const keys =
    'blockHash blockNumber blockTimestamp from gas gasPrice hash input nonce to transactionIndex value type';

  it('of type 0 have a replay-protected chain id and no parity', async () => {
    const transaction = await rpc.result('eth_getTransactionByHash', transactionHash(2, 2));
    expect(Object.keys(transaction as object)).toEqual([...keys.split(' '), 'chainId', 'v', 'r', 's']);
    expect(transaction).toMatchObject({
      blockHash: hashOf(2),
      blockNumber: '0x2',
      from: toHexData(ACCOUNTS[2]!),
      to: toHexData(FRIEND),
      gas: toHexQuantity(300_000),
      gasPrice: toHexQuantity(20n * GWEI),
      input: '0x',
      nonce: '0x0',
      transactionIndex: '0x2',
      value: '0x3e8',
      type: '0x0',
      chainId: toHexQuantity(713_714),
    });
  });

  it('of type 1 have an access list and a parity', async () => {
    const transaction = await rpc.result('eth_getTransactionByBlockNumberAndIndex', '0x2', '0x3');
    expect(Object.keys(transaction as object)).toEqual([
      ...keys.split(' '),
      'accessList',
      'chainId',
      'v',
      'r',
      's',
      'yParity',
    ]);
    expect(transaction).toMatchObject({
      type: '0x1',
      accessList: [{ address: counter, storageKeys: [ZERO_HASH] }],
    });
  });

  it('of type 2 have their caps, and the price that was paid', async () => {
    const transaction = await rpc.result('eth_getTransactionByBlockHashAndIndex', hashOf(4), '0x0');
    expect(transaction).toMatchObject({
      type: '0x2',
      gasPrice: toHexQuantity(records[3]!.baseFee + 3n * GWEI),
      maxFeePerGas: toHexQuantity(20n * GWEI),
      maxPriorityFeePerGas: toHexQuantity(3n * GWEI),
      accessList: [],
    });
    expect(Object.keys(transaction as object).slice(5, 9)).toEqual([
      'gasPrice',
      'maxFeePerGas',
      'maxPriorityFeePerGas',
      'hash',
    ]);
    const creation = await rpc.result('eth_getTransactionByHash', transactionHash(1, 0));
    expect(creation).toMatchObject({ to: null });
  });

  it('are null past the end and for unknown hashes; too large an index is an error', async () => {
    expect(await rpc.result('eth_getTransactionByBlockNumberAndIndex', '0x2', '0x4')).toBeNull();
    expect(await rpc.result('eth_getTransactionByBlockNumberAndIndex', '0x0', '0x0')).toBeNull();
    expect(await rpc.result('eth_getTransactionByHash', UNKNOWN_HASH)).toBeNull();
    expect(await rpc.result('eth_getTransactionReceipt', UNKNOWN_HASH)).toBeNull();
    expect(await errorOf('eth_getTransactionByBlockNumberAndIndex', '0x2', '0x100000000')).toEqual({
      code: -32000,
      message: 'invalid tx index',
    });
  });
});

describe('receipts and logs', () => {
  it('tell of a success with its logs', async () => {
    const receipt = await rpc.result('eth_getTransactionReceipt', transactionHash(2, 3));
    const gas = records[1]!.receipts.map(({ gasUsed }) => gasUsed);
    expect(receipt).toEqual({
      blockHash: hashOf(2),
      blockNumber: '0x2',
      contractAddress: null,
      cumulativeGasUsed: toHexQuantity(gas.reduce((sum, used) => sum + used, 0n)),
      effectiveGasPrice: toHexQuantity(20n * GWEI),
      from: toHexData(ACCOUNTS[2]!),
      gasUsed: toHexQuantity(gas[3]!),
      logs: [
        {
          address: counter,
          topics: [toHexData(word(1))],
          data: toHexData(word(2)),
          blockNumber: '0x2',
          transactionHash: transactionHash(2, 3),
          transactionIndex: '0x3',
          blockHash: hashOf(2),
          blockTimestamp: toHexQuantity(1_700_000_002),
          logIndex: '0x1',
          removed: false,
        },
      ],
      logsBloom: expect.stringMatching(/^0x[0-9a-f]{512}$/),
      status: '0x1',
      to: counter,
      transactionHash: transactionHash(2, 3),
      transactionIndex: '0x3',
      type: '0x1',
    });
    expect((receipt as { logsBloom: string }).logsBloom).not.toBe(`0x${'00'.repeat(256)}`);
  });

  it('tell of a failure and of a creation', async () => {
    expect(await rpc.result('eth_getTransactionReceipt', transactionHash(2, 1))).toMatchObject({
      status: '0x0',
      logs: [],
      logsBloom: `0x${'00'.repeat(256)}`,
      contractAddress: null,
      to: toHexData(REVERTER),
    });
    expect(await rpc.result('eth_getTransactionReceipt', transactionHash(1, 0))).toMatchObject({
      status: '0x1',
      to: null,
      contractAddress: counter,
    });
  });

  it('come for a whole block by number, tag and hash', async () => {
    const receipts = await rpc.result('eth_getBlockReceipts', '0x2');
    expect(receipts).toEqual(
      await Promise.all(
        [0, 1, 2, 3].map((i) => rpc.result('eth_getTransactionReceipt', transactionHash(2, i))),
      ),
    );
    expect(await rpc.result('eth_getBlockReceipts', { blockHash: hashOf(2) })).toEqual(receipts);
    expect(await rpc.result('eth_getBlockReceipts', '0x3')).toEqual([]);
  });
});
