import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { GENESIS_HASH, openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { COUNTER, growBlocks, sign, word } from '../testTransactions.fixture.ts';

const TIMEOUT_MS = 120_000;
const MAX_LOGS = 3;
const MAX_BLOCKS = 4;
const counter = toHexData(COUNTER);
const topic = (value: number) => toHexData(word(value));

let rpc: RpcFixture;
let records: BlockRecord[];
let nonce = 2n;
beforeAll(async () => {
  rpc = await openRpcFixture({
    filterTimeoutMs: TIMEOUT_MS,
    methods: { maxLogs: MAX_LOGS, maxLogBlocks: MAX_BLOCKS },
  });
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

interface Log {
  readonly blockNumber: string;
  readonly logIndex: string;
}
const places = (logs: unknown) =>
  (logs as Log[]).map(({ blockNumber, logIndex }) => `${Number(blockNumber)}/${Number(logIndex)}`);
const getLogs = async (criteria: unknown) => places(await rpc.result('eth_getLogs', criteria));
const install = async (criteria: unknown = {}) => String(await rpc.result('eth_newFilter', criteria));
const changes = (id: string) => rpc.result('eth_getFilterChanges', id);
const errorOf = async (method: string, ...params: unknown[]) => (await rpc.call(method, ...params)).error;
/** One more block with a counter call under each topic. */
const blockWith = (...topics: number[]) =>
  rpc.block(...topics.map((value) => sign(0, { to: COUNTER, data: word(value), nonce: nonce++ })));
const rewindTo = (height: number) => rpc.chain.rewind(height, { begin: async () => {}, end: async () => {} });
const MISSING = { code: -32000, message: 'filter does not exist' };

describe('eth_getLogs', () => {
  it('finds logs by range, address and topics, in order', async () => {
    const range = { fromBlock: '0x1', toBlock: '0x4' };
    expect(await getLogs(range)).toEqual(['2/0', '2/1', '4/0', '4/1']);
    expect(await getLogs({ ...range, address: counter })).toHaveLength(4);
    expect(await getLogs({ ...range, address: [toHexData(new Uint8Array(20)), counter] })).toHaveLength(4);
    expect(await getLogs({ ...range, address: toHexData(new Uint8Array(20)) })).toEqual([]);
    expect(await getLogs({ ...range, topics: [topic(2)] })).toEqual(['4/0']);
    expect(await getLogs({ ...range, topics: [[topic(1), topic(2)]] })).toHaveLength(4);
    expect(await getLogs({ ...range, topics: [[]] })).toHaveLength(4);
    expect(await getLogs({ ...range, topics: [null, topic(1)] })).toEqual([]);
  });

  it('takes the newest block where an end is missing, and a lone end as both', async () => {
    expect(await getLogs({})).toEqual(['4/0', '4/1']);
    expect(await getLogs({ fromBlock: 'latest' })).toEqual(['4/0', '4/1']);
    expect(await getLogs({ toBlock: '0x2' })).toEqual(['2/0', '2/1']);
    expect(await getLogs({ toBlock: 'latest' })).toEqual(['4/0', '4/1']);
    expect(await getLogs({ fromBlock: 'earliest', toBlock: '0x2' })).toEqual(['2/0', '2/1']);
  });

  it('takes a block hash; an unknown one is an error', async () => {
    expect(await getLogs({ blockHash: toHexData(records[1]!.block.id.hash) })).toEqual(['2/0', '2/1']);
    for (const blockHash of [topic(9), topic(0)]) {
      expect(await errorOf('eth_getLogs', { blockHash })).toEqual({ code: -32000, message: 'unknown block' });
    }
    expect(await getLogs({ blockHash: toHexData(GENESIS_HASH) })).toEqual([]);
  });

  it.each([
    [{ fromBlock: '0x3', toBlock: '0x2' }, 'requested fromBlock 3 is greater than toBlock 2'],
    [{ fromBlock: '0x9' }, 'requested fromBlock 9 is greater than toBlock 4'],
    [{ fromBlock: '0x1', toBlock: '0x9' }, 'requested toBlock 9 is after latest available block 4'],
    [{ toBlock: '0x9' }, 'requested toBlock 9 is after latest available block 4'],
    [
      { fromBlock: '0x0', toBlock: '0x4' },
      `block range too large (5), maximum allowed is ${MAX_BLOCKS} blocks`,
    ],
  ])('refuses %j', async (criteria, message) => {
    expect(await errorOf('eth_getLogs', criteria)).toEqual({ code: -32000, message });
  });

  it('cuts an open range to the first logs and says where it stopped', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock: '0x1' }] };
    const answer = await rpc.post(JSON.stringify(body));
    expect(answer.headers.get('Chain-Logs-Truncated')).toBe('0x4');
    expect(places(((await answer.json()) as { result: unknown }).result)).toEqual(['2/0', '2/1', '4/0']);
    const closed = { ...body, params: [{ fromBlock: '0x1', toBlock: '0x4' }] };
    const whole = await rpc.post(JSON.stringify(closed));
    expect(whole.headers.get('Chain-Logs-Truncated')).toBeNull();
    const fitting = { ...body, params: [{ fromBlock: '0x3', toBlock: 'latest' }] };
    expect((await rpc.post(JSON.stringify(fitting))).headers.get('Chain-Logs-Truncated')).toBeNull();
  });
});

describe('filters', () => {
  it('give the hashes of transactions that became pending since the last poll', async () => {
    const own = await openRpcFixture();
    try {
      const id = String(await own.result('eth_newPendingTransactionFilter'));
      const send = async (nonce: bigint) =>
        own.result('eth_sendRawTransaction', toHexData(sign(2, { to: COUNTER, nonce }).raw));
      await own.block();
      expect(await own.result('eth_getFilterChanges', id)).toEqual([]);
      const gap = await send(1n);
      expect(await own.result('eth_getFilterChanges', id)).toEqual([]);
      const first = await send(0n);
      expect(await own.result('eth_getFilterChanges', id)).toEqual([first, gap]);
      expect(await own.result('eth_getFilterChanges', id)).toEqual([]);
      expect((await own.call('eth_getFilterLogs', id)).error?.message).toMatch(
        /^filter is a transaction filter/,
      );
      expect(await own.result('eth_uninstallFilter', id)).toBe(true);
    } finally {
      await own.close();
    }
  });

  it('have random ids and can be removed once', async () => {
    const ids = [await install(), await install(), String(await rpc.result('eth_newBlockFilter'))];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) {
      expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{0,31}$/);
      expect(await rpc.result('eth_uninstallFilter', id)).toBe(true);
      expect(await rpc.result('eth_uninstallFilter', id)).toBe(false);
      expect(await errorOf('eth_getFilterChanges', id)).toEqual(MISSING);
      expect(await errorOf('eth_getFilterLogs', id)).toEqual(MISSING);
    }
    expect(await errorOf('eth_getFilterChanges', 5)).toEqual({
      code: -32602,
      message: 'invalid argument 0: json: cannot unmarshal number into Go value of type string',
    });
  });

  it('give what came since the last poll, across several blocks', async () => {
    const logs = await install({ fromBlock: 'latest', toBlock: 'latest' });
    const ones = await install({ topics: [topic(1)] });
    const blocks = String(await rpc.result('eth_newBlockFilter'));
    expect([await changes(logs), await changes(blocks)]).toEqual([[], []]);
    const made = [await blockWith(1, 2), await rpc.block(), await blockWith(2)];
    const heights = made.map(({ block }) => block.header.height);
    expect(places(await changes(logs))).toEqual([`${heights[0]}/0`, `${heights[0]}/1`, `${heights[2]}/0`]);
    expect(places(await changes(ones))).toEqual([`${heights[0]}/0`]);
    expect(await changes(blocks)).toEqual(made.map(({ block }) => toHexData(block.id.hash)));
    for (const id of [logs, ones, blocks]) expect(await changes(id)).toEqual([]);
  });

  it('begin at a number and end at one', async () => {
    const past = await install({ fromBlock: '0x2', toBlock: '0x2' });
    expect(places(await changes(past))).toEqual(['2/0', '2/1']);
    expect(await changes(past)).toEqual([]);
    const next = rpc.chain.height + 1;
    const future = await install({ fromBlock: toHexQuantity(next), toBlock: toHexQuantity(next) });
    expect(await changes(future)).toEqual([]);
    await blockWith(7);
    await blockWith(7);
    expect(places(await changes(future))).toEqual([`${next}/0`]);
    expect(await changes(future)).toEqual([]);
    expect(await errorOf('eth_newFilter', { fromBlock: '0x3', toBlock: '0x2' })).toEqual({
      code: -32000,
      message: 'requested fromBlock 3 is greater than toBlock 2',
    });
  });

  it('give one block by its hash, once', async () => {
    const id = await install({ blockHash: toHexData(records[1]!.block.id.hash) });
    expect(places(await changes(id))).toEqual(['2/0', '2/1']);
    expect(await changes(id)).toEqual([]);
    expect(places(await rpc.result('eth_getFilterLogs', id))).toEqual(['2/0', '2/1']);
  });

  it('hand out more logs than an answer holds in several polls, and lose none', async () => {
    const id = await install();
    const start = rpc.chain.height + 1;
    await blockWith(1, 1);
    await blockWith(1, 1);
    await blockWith(1, 1, 1, 1);
    await blockWith(1);
    const polls = [];
    for (let i = 0; i < 5; i++) polls.push(places(await changes(id)).map((place) => place.split('/')[0]));
    const at = (offset: number, count: number) => Array(count).fill(String(start + offset));
    expect(polls).toEqual([at(0, 2), at(1, 2), at(2, 4), at(3, 1), []]);
  });

  it('give all logs with getFilterLogs, which leaves the polls alone', async () => {
    const id = await install({ fromBlock: '0x1', toBlock: '0x4' });
    expect(places(await rpc.result('eth_getFilterLogs', id))).toEqual(['2/0', '2/1', '4/0', '4/1']);
    expect(places(await rpc.result('eth_getFilterLogs', id))).toHaveLength(4);
    expect(await errorOf('eth_getFilterLogs', await rpc.result('eth_newBlockFilter'))).toMatchObject({
      code: -32000,
      message: expect.stringContaining('block filter'),
    });
    const wide = await install({ fromBlock: '0x1', toBlock: '0x9' });
    expect(await errorOf('eth_getFilterLogs', wide)).toMatchObject({ code: -32000 });
  });

  it('are capped for each client, over both namespaces, until they are removed or expire', async () => {
    const small = await openRpcFixture({
      clients: { filters: { maxPerClient: 2, max: 10 } },
      filterTimeoutMs: TIMEOUT_MS,
      legacyMethods: ['chain_newFilter'],
    });
    try {
      const first = await small.result('eth_newFilter', {});
      await small.result('chain_newFilter', {});
      expect((await small.call('eth_newBlockFilter')).error).toEqual({
        code: -32000,
        message: expect.stringMatching(/^too many filters: \S+ has installed 2; uninstall some/),
      });
      expect(await small.result('eth_uninstallFilter', first)).toBe(true);
      expect(await small.result('eth_newBlockFilter')).toMatch(/^0x/);
      small.clock.ms += TIMEOUT_MS;
      for (let i = 0; i < 2; i++) expect(await small.result('eth_newBlockFilter')).toMatch(/^0x/);
    } finally {
      await small.close();
    }
  });

  it('hand out each log once to polls that overlap', async () => {
    const id = await install();
    const record = await blockWith(1, 2);
    const { height } = record.block.header;
    const polls = await Promise.all(Array.from({ length: 5 }, () => changes(id)));
    expect(polls.flatMap(places)).toEqual([`${height}/0`, `${height}/1`]);
  });

  it('tell of logs whose blocks were taken back, newest first, and go on with the new ones', async () => {
    const { block } = await blockWith(1);
    const base = block.header.height;
    const [ended, polled, waiting, topical] = await Promise.all([
      install({ fromBlock: toHexQuantity(base), toBlock: toHexQuantity(base + 1) }),
      install(),
      install({ fromBlock: toHexQuantity(base + 3) }),
      install({ fromBlock: toHexQuantity(base), topics: [topic(8)] }),
    ]);
    const blocks = await rpc.result('eth_newBlockFilter');
    const old = [await blockWith(7, 8), await blockWith(8)];
    for (const id of [ended, polled, topical, blocks]) await changes(String(id));
    await rewindTo(base);
    nonce -= 3n;
    const again = await blockWith(9);
    const told = async (id: string) =>
      ((await changes(id)) as (Log & { removed: boolean; blockHash: string; topics: string[] })[]).map(
        (log) => [log.removed, log.blockHash, log.topics[0]],
      );
    const hashOf = (record: BlockRecord) => toHexData(record.block.id.hash);
    const [first, second] = old.map(hashOf);
    expect(await told(polled)).toEqual([
      [true, second, topic(8)],
      [true, first, topic(8)],
      [true, first, topic(7)],
      [false, hashOf(again), topic(9)],
    ]);
    expect(await told(polled)).toEqual([]);
    expect(await told(ended)).toEqual([
      [true, first, topic(8)],
      [true, first, topic(7)],
      [false, hashOf(again), topic(9)],
    ]);
    expect(await told(topical)).toEqual([
      [true, second, topic(8)],
      [true, first, topic(8)],
    ]);
    expect(await told(waiting)).toEqual([]);
    expect(await changes(String(blocks))).toEqual([hashOf(again)]);
    await blockWith(1, 2);
    await blockWith(3, 4);
    await changes(polled);
    await rewindTo(base + 1);
    nonce -= 4n;
    const error = `more than 3 logs of this filter were taken back with the blocks above ${base + 1}; read them anew from there`;
    expect(await errorOf('eth_getFilterChanges', polled)).toEqual({ code: -32000, message: error });
    const { block: next } = await blockWith(5);
    expect(await told(polled)).toEqual([[false, toHexData(next.id.hash), topic(5)]]);
  });

  it('expire unless they are polled', async () => {
    const [polled, idle, read] = [await install(), await install(), await install({ toBlock: 'latest' })];
    rpc.clock.ms += TIMEOUT_MS - 1;
    await changes(polled);
    await rpc.result('eth_getFilterLogs', read);
    rpc.clock.ms += 1;
    expect(await errorOf('eth_getFilterChanges', idle)).toEqual(MISSING);
    expect(await rpc.result('eth_uninstallFilter', idle)).toBe(false);
    expect(await changes(polled)).toEqual([]);
    expect(await changes(read)).toEqual([]);
    rpc.clock.ms += TIMEOUT_MS;
    expect(await errorOf('eth_getFilterChanges', polled)).toEqual(MISSING);
  });
});
