import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { COUNTER, growBlocks, sign } from '../testTransactions.fixture.ts';
import { LogsCache, patternKey } from './logsCache.ts';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

describe('logs by block', () => {
  it('are kept up to a size, the least recently used first out', () => {
    const cache = new LogsCache({ maxBytes: 3 * 1200 });
    const { generation } = cache;
    for (const height of [1, 2, 3]) cache.put('a', height, { text: bytes(1000, height), generation });
    expect(cache.get('a', 1)).toEqual(bytes(1000, 1));
    cache.put('a', 4, { text: bytes(1000, 4), generation });
    expect(cache.get('a', 2)).toBeUndefined();
    expect(cache.get('b', 1)).toBeUndefined();
    expect(cache.get('a', 1)).toEqual(bytes(1000, 1));
    cache.put('a', 5, { text: bytes(4000, 5), generation });
    expect(cache.get('a', 5)).toBeUndefined();
  });

  it('are forgotten when blocks are taken back, also by who has read them before', () => {
    const cache = new LogsCache({ maxBytes: 10_000 });
    const { generation } = cache;
    cache.put('a', 1, { text: bytes(10, 1), generation });
    cache.clear();
    cache.put('a', 2, { text: bytes(10, 2), generation });
    expect([cache.get('a', 1), cache.get('a', 2)]).toEqual([undefined, undefined]);
  });

  it('are told apart by all that a query names', () => {
    const [one, two] = [bytes(20, 1), bytes(20, 2)];
    const [topic, other] = [bytes(32, 1), bytes(32, 2)];
    const patterns = [
      {},
      { includeSynthetic: true },
      { addresses: [one] },
      { addresses: [one, two] },
      { addresses: [two] },
      { topics: [[topic]] },
      { topics: [null, [topic]] },
      { topics: [[topic], [other]] },
      { topics: [[topic, other]] },
      { topics: [null] },
    ];
    expect(new Set(patterns.map(patternKey)).size).toBe(patterns.length);
  });
});

describe('a range of logs', () => {
  let rpc: RpcFixture;
  beforeEach(async () => {
    rpc = await openRpcFixture();
    await growBlocks(rpc);
  });
  afterEach(() => rpc.close());

  it('is the logs of its blocks, whatever was asked for before', async () => {
    for (let nonce = 2n; nonce < 6n; nonce++) {
      await rpc.block(sign(0, { nonce, to: COUNTER, data: bytes(32, Number(nonce)) }));
    }
    const latest = rpc.chain.height;
    const hashOf = (height: number) => toHexData(rpc.chain.blockHash(height)!);
    const filters = [{}, { address: toHexData(COUNTER) }, { address: `0x${'77'.repeat(20)}` }];
    const single = async (height: number, filter: object) =>
      (await rpc.result('eth_getLogs', { ...filter, blockHash: hashOf(height) })) as unknown[];
    for (const [from, to] of [
      [3, 5],
      [1, latest],
      [2, 2],
      [4, latest],
      [1, latest],
    ] as const) {
      for (const filter of filters) {
        const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
        const expected = (await Promise.all(heights.map((height) => single(height, filter)))).flat();
        const range = { ...filter, fromBlock: toHexQuantity(from), toBlock: toHexQuantity(to) };
        expect(await rpc.result('eth_getLogs', range)).toEqual(expected);
        // An open range reads history itself.
        if (to === latest) {
          const open = { ...filter, fromBlock: toHexQuantity(from) };
          expect(await rpc.result('eth_getLogs', open)).toEqual(expected);
        }
      }
    }
    const all = (await rpc.result('eth_getLogs', {
      fromBlock: '0x1',
      toBlock: toHexQuantity(latest),
    })) as unknown[];
    expect(all.length).toBeGreaterThan(3);
  });
});
