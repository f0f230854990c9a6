import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { GWEI, growBlocks } from '../testTransactions.fixture.ts';
import { gasUsedOf, isCongested, pricePercentile, rewardPercentiles } from './rewards.ts';

const MAX_BLOCKS = 3;
let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture({ methods: { maxLogBlocks: MAX_BLOCKS } });
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

const history = (...params: unknown[]) => rpc.call('eth_feeHistory', ...params);

describe('eth_feeHistory', () => {
  it('gives base fees with the one to come, ratios, and no reward without percentiles', async () => {
    const { result } = await history('0x2', '0x3', []);
    expect(result).toEqual({
      oldestBlock: '0x2',
      baseFeePerGas: [records[1]!.baseFee, records[2]!.baseFee, records[3]!.baseFee].map(toHexQuantity),
      gasUsedRatio: [Number(gasUsedOf(records[1]!)) / 10_000_000, 0],
    });
    expect(records[2]!.nextBaseFee).toBe(records[3]!.baseFee);
  });

  it('gives rewards by percentile, zeros for an empty block', async () => {
    const { result } = await history(2, 'latest', [0, 50, 100]);
    expect(Object.keys(result as object)).toEqual(['oldestBlock', 'reward', 'baseFeePerGas', 'gasUsedRatio']);
    expect(result).toMatchObject({
      oldestBlock: '0x3',
      reward: [['0x0', '0x0', '0x0'], [2n * GWEI, 2n * GWEI, 3n * GWEI].map(toHexQuantity)],
    });
  });

  it('stops at the earliest block and at the limit, and takes counts in each form', async () => {
    expect((await history(100, '0x2', [])).result).toMatchObject({ oldestBlock: '0x1' });
    for (const count of [100, '100', '0x64', 3]) {
      expect((await history(count, 'latest', [])).result).toMatchObject({
        oldestBlock: toHexQuantity(4 - MAX_BLOCKS + 1),
      });
    }
    for (const tag of ['latest', 'pending', 'safe', 'finalized']) {
      expect((await history(1, tag, [])).result).toMatchObject({ oldestBlock: '0x4' });
    }
    expect((await history(1, 'earliest', [])).result).toMatchObject({ oldestBlock: '0x1' });
    expect((await history(0, 'latest', [])).result).toMatchObject({ gasUsedRatio: null });
  });

  it.each<[unknown[], number, string]>([
    [[1, '0x9', []], -32000, 'requested last block 9 is not yet available; safe latest is 4'],
    [
      [1, 'latest', Array.from({ length: 101 }, (_, i) => i / 2)],
      -32000,
      'rewardPercentiles length must be less than or equal to 100',
    ],
    ...[[50, 50], [50, 20], [-1], [101]].map((percentiles): [unknown[], number, string] => [
      [1, 'latest', percentiles],
      -32000,
      'invalid reward percentiles: must be ascending and between 0 and 100',
    ]),
    [[1, 'latest'], -32602, 'missing value for required argument 2'],
    [['x', 'latest', []], -32602, 'invalid argument 0: invalid hex or decimal integer "x"'],
    [[1, '5', []], -32602, 'invalid argument 1: hex string without 0x prefix'],
    [
      [1, 'latest', ['50']],
      -32602,
      'invalid argument 2: json: cannot unmarshal string into Go value of type float64',
    ],
  ])('refuses %j', async (params, code, message) => {
    expect((await history(...params)).error).toEqual({ code, message });
  });
});

describe('prices', () => {
  it('are the median of the newest block, and never below the next base fee', async () => {
    const newest = records[3]!;
    const median = newest.baseFee + 2n * GWEI;
    expect(pricePercentile(newest, 50)).toBe(median);
    expect(median).toBeGreaterThan(newest.nextBaseFee);
    expect(await rpc.result('eth_gasPrice')).toBe(toHexQuantity(median));
    expect(await rpc.result('eth_maxPriorityFeePerGas')).toBe(toHexQuantity(GWEI));
  });

  it('are a tenth above the next base fee after an empty block', async () => {
    const { nextBaseFee } = await rpc.block();
    expect(await rpc.result('eth_gasPrice')).toBe(toHexQuantity((nextBaseFee * 110n) / 100n));
  });
});

describe('percentiles', () => {
  /** A real record with other prices: `[effective price, gas]` a receipt. */
  const recordOf = (...paid: readonly (readonly [bigint, bigint])[]): BlockRecord => {
    const receipts = paid.map(([effectiveGasPrice, gasUsed]): Receipt => {
      return { ...records[1]!.receipts[0]!, effectiveGasPrice, gasUsed };
    });
    return { ...records[1]!, receipts, baseFee: 10n, gasLimit: 1000n };
  };

  it('weigh prices by gas', () => {
    const record = recordOf([15n, 100n], [12n, 300n], [20n, 600n]);
    expect(rewardPercentiles(record, [0, 30, 31, 40, 41, 100])).toEqual([2n, 2n, 5n, 5n, 10n, 10n]);
    expect(pricePercentile(record, 50)).toBe(20n);
  });

  it('skip what paid nothing or less than the base fee', () => {
    expect(rewardPercentiles(recordOf([0n, 500n], [9n, 500n], [13n, 1n]), [0, 100])).toEqual([3n, 3n]);
    expect(rewardPercentiles(recordOf([0n, 500n]), [50])).toEqual([0n]);
    expect(rewardPercentiles(recordOf(), [1, 2])).toEqual([0n, 0n]);
  });

  it('call a block congested above four fifths of its gas', () => {
    expect(isCongested(recordOf([20n, 800n]))).toBe(false);
    expect(isCongested(recordOf([20n, 801n]))).toBe(true);
  });
});
