import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { COUNTER, growBlocks, sign, word } from '../testTransactions.fixture.ts';

const MAX_LOGS = 5;
let rpc: RpcFixture;
let socket: WebSocket;
let nonce = 2n;
const messages: Record<string, unknown>[] = [];
beforeAll(async () => {
  rpc = await openRpcFixture({ methods: { maxLogs: MAX_LOGS, maxLogBlocks: 100 } });
  await growBlocks(rpc);
  socket = new WebSocket(rpc.wsUrl);
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
});
afterAll(() => {
  socket.close();
  return rpc.close();
});

let ids = 0;
async function subscribe(criteria: unknown): Promise<Record<string, unknown>> {
  const id = ++ids;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['logs', criteria] }));
  await expect.poll(() => messages.find((message) => message.id === id)).toBeDefined();
  return messages.find((message) => message.id === id)!;
}
const pushed = ({ result }: Record<string, unknown>) =>
  messages
    .map(({ params }) => params as { subscription: unknown; result: unknown } | undefined)
    .filter((params) => params?.subscription === result)
    .map((params) => params!.result);
const blockWith = (...topics: number[]) =>
  rpc.block(...topics.map((value) => sign(0, { to: COUNTER, data: word(value), nonce: nonce++ })));
const logsOf = async (range: unknown) => (await rpc.result('eth_getLogs', range)) as unknown[];

describe('a subscription to logs from a past block', () => {
  it('gives what is past first, once, and goes on with new blocks', async () => {
    const told = await subscribe({ fromBlock: '0x1' });
    const past = await logsOf({ fromBlock: '0x1', toBlock: 'latest' });
    expect(past).toHaveLength(4);
    await expect.poll(() => pushed(told)).toEqual(past);
    await blockWith(7);
    const all = await logsOf({ fromBlock: '0x1', toBlock: 'latest' });
    expect(all).toHaveLength(5);
    await expect.poll(() => pushed(told)).toEqual(all);
  });

  it('leaves nothing out and gives nothing twice while blocks come', async () => {
    const from = rpc.chain.height;
    const growing = blockWith(1)
      .then(() => rpc.block())
      .then(() => blockWith(2));
    const told = await subscribe({ fromBlock: toHexQuantity(from) });
    await growing;
    const want = await logsOf({ fromBlock: toHexQuantity(from), toBlock: 'latest' });
    await expect.poll(() => pushed(told)).toEqual(want);
  });

  it('ends where its range ends', async () => {
    const range = { fromBlock: '0x2', toBlock: '0x2' };
    const told = await subscribe(range);
    await expect.poll(() => pushed(told)).toEqual(await logsOf(range));
    const live = await subscribe({});
    await blockWith(3);
    await expect.poll(() => pushed(live)).toHaveLength(1);
    expect(pushed(told)).toHaveLength(2);
  });

  it('tells of blocks again that come in the place of others', async () => {
    const { block } = await rpc.block();
    await blockWith(4);
    const told = await subscribe({ fromBlock: toHexQuantity(block.header.height) });
    await rpc.chain.rewind(block.header.height, { begin: async () => {}, end: async () => {} });
    nonce -= 1n;
    await blockWith(5);
    await expect
      .poll(() => pushed(told))
      .toMatchObject([
        { topics: [toHexData(word(4))], removed: false },
        { topics: [toHexData(word(4))], removed: true },
        { topics: [toHexData(word(5))], removed: false },
      ]);
  });

  it('begins with the next block from 0 on, as in the reference', async () => {
    const told = await subscribe({ fromBlock: '0x0', toBlock: 'latest' });
    const record = await blockWith(6);
    await expect
      .poll(() => pushed(told))
      .toEqual(await logsOf({ blockHash: toHexData(record.block.id.hash) }));
  });

  it('is refused for more logs than one answer has, and for a reversed range', async () => {
    expect((await subscribe({ fromBlock: '0x1' })).error).toMatchObject({
      code: -32000,
      message: `the past range has more than ${MAX_LOGS} logs: read them with eth_getLogs, and subscribe from the next block on`,
    });
    expect((await subscribe({ fromBlock: '0x3', toBlock: '0x2' })).error).toEqual({
      code: -32000,
      message: 'requested fromBlock 3 is greater than toBlock 2',
    });
  });
});
