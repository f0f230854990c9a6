import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { type Answer, openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { COUNTER, FRIEND, growBlocks, sign, word } from '../testTransactions.fixture.ts';

const MAX_SUBSCRIPTIONS = 4;
const counter = toHexData(COUNTER);
const topic = (value: number) => toHexData(word(value));

let rpc: RpcFixture;
let records: BlockRecord[];
let nonce = 2n;
const clients: Client[] = [];
beforeAll(async () => {
  rpc = await openRpcFixture({
    dispatch: { denied: ['net_version'] },
    webSocket: { maxSubscriptions: MAX_SUBSCRIPTIONS },
    subscriptions: { syncing: 1 },
  });
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.close();
});

interface Notification {
  readonly jsonrpc: string;
  readonly method: string;
  readonly params: { readonly subscription: string; readonly result: unknown };
}

/** A connection, and everything that came over it in order. */
interface Client {
  readonly socket: WebSocket;
  readonly messages: (Answer | Answer[] | Notification)[];
  call(method: string, ...params: unknown[]): Promise<Answer>;
  subscribe(...params: unknown[]): Promise<string>;
  /** Results pushed for a subscription. */
  pushed(id: string): unknown[];
}

async function connect(): Promise<Client> {
  const socket = new WebSocket(rpc.wsUrl);
  const messages: Client['messages'] = [];
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  let ids = 0;
  const call: Client['call'] = async (method, ...params) => {
    const id = ++ids;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const found = () =>
      messages.find((message) => 'id' in message && message.id === id) as Answer | undefined;
    await expect.poll(found, { interval: 2 }).toBeDefined();
    return found()!;
  };
  const client: Client = {
    socket,
    messages,
    call,
    subscribe: async (...params) => String((await call('eth_subscribe', ...params)).result),
    pushed: (id) =>
      messages.flatMap((message) =>
        'params' in message && message.params.subscription === id ? [message.params.result] : [],
      ),
  };
  clients.push(client);
  return client;
}

/** One more block with a counter call under each topic. */
const blockWith = (...topics: number[]) =>
  rpc.block(...topics.map((value) => sign(0, { to: COUNTER, data: word(value), nonce: nonce++ })));
const hashOf = ({ block }: BlockRecord) => toHexData(block.id.hash);

describe('JSON-RPC over WebSocket', () => {
  it('answers as over HTTP: calls, batches, filters, errors', async () => {
    const client = await connect();
    const query = { fromBlock: '0x1', toBlock: '0x4' };
    expect((await client.call('eth_getLogs', query)).result).toEqual(await rpc.result('eth_getLogs', query));
    const filter = (await client.call('eth_newBlockFilter')).result;
    expect(await rpc.result('eth_uninstallFilter', filter)).toBe(true);
    const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
    client.socket.send(JSON.stringify(calls));
    await expect.poll(() => client.messages.at(-1)).toMatchObject([{ id: 1 }, { id: 2 }]);
    client.socket.send('{"jsonrpc":');
    await expect
      .poll(() => client.messages.at(-1))
      .toMatchObject({ id: null, error: { code: -32700, message: 'parse error' } });
    expect((await client.call('eth_nothing')).error).toMatchObject({ code: -32601 });
  });

  it('holds the deny list and the legacy gate', async () => {
    const client = await connect();
    client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'net_version' }));
    await expect.poll(() => client.messages.at(-1)).toMatchObject({ id: null, error: { code: -32601 } });
    expect((await client.call('chain_getBlockByNumber', 'latest', false)).error).toMatchObject({
      code: -32601,
      data: 'legacy_chain_deprecated',
    });
    const { result } = await client.call(
      'chain_getLedgerTx',
      toHexData(records[1]!.receipts[0]!.transactionHash),
    );
    expect(result).toMatchObject({ height: '2' });
  });

  it('answers nothing to a notification', async () => {
    const client = await connect();
    client.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' }));
    await client.call('eth_chainId');
    expect(client.messages).toHaveLength(1);
  });
});

describe('eth_subscribe', () => {
  it('pushes each new head once, with the values of the block', async () => {
    const [one, two] = [await connect(), await connect()];
    const ids = [await one.subscribe('newHeads'), await two.subscribe('newHeads')];
    expect(ids[0]).toMatch(/^0x[1-9a-f][0-9a-f]{0,31}$/);
    expect(ids[0]).not.toBe(ids[1]);
    const made = [await blockWith(1), await rpc.block()];
    await expect.poll(() => two.pushed(ids[1]!)).toHaveLength(2);
    await expect.poll(() => one.pushed(ids[0]!)).toHaveLength(2);
    for (const [i, record] of made.entries()) {
      const head = one.pushed(ids[0]!)[i] as Record<string, unknown>;
      expect(head.hash).toBe(hashOf(record));
      const { withdrawlsRoot, ...members } = head;
      const { blobGasUsed, excessBlobGas, parentBeaconBlockRoot, withdrawalsRoot, ...header } = members;
      expect([blobGasUsed, excessBlobGas]).toEqual(['0x0', '0x0']);
      const zeroHash = topic(0);
      expect([parentBeaconBlockRoot, withdrawalsRoot, withdrawlsRoot]).toEqual([
        zeroHash,
        zeroHash,
        zeroHash,
      ]);
      expect(await rpc.result('eth_getBlockByHash', head.hash, false)).toMatchObject(header);
      expect(head).not.toHaveProperty('transactions');
      expect(head).toHaveProperty('logsBloom');
    }
    const [first] = one.messages.filter((message) => 'params' in message);
    expect(Object.keys(first!)).toEqual(['jsonrpc', 'method', 'params']);
    expect(first).toMatchObject({ jsonrpc: '2.0', method: 'eth_subscription' });
  });

  it('pushes logs that match, one by one and in order', async () => {
    const client = await connect();
    const all = await client.subscribe('logs');
    const twos = await client.subscribe('logs', {
      address: [counter, toHexData(FRIEND)],
      topics: [[topic(2)]],
    });
    const none = await client.subscribe('logs', { address: toHexData(FRIEND) });
    const later = await client.subscribe('logs', { fromBlock: '0xffffff' });
    const record = await blockWith(1, 2, 2);
    await expect.poll(() => client.pushed(twos)).toHaveLength(2);
    const logs = (await rpc.result('eth_getLogs', { blockHash: hashOf(record) })) as unknown[];
    expect(logs).toHaveLength(3);
    expect(client.pushed(all)).toEqual(logs);
    expect(client.pushed(twos)).toEqual(logs.slice(1));
    expect([...client.pushed(none), ...client.pushed(later)]).toEqual([]);
  });

  it('tells of logs whose blocks were taken back, newest first, before those in their place', async () => {
    const client = await connect();
    const { block } = await rpc.block();
    const all = await client.subscribe('logs');
    const twos = await client.subscribe('logs', { topics: [topic(2)] });
    await blockWith(1, 2);
    await blockWith(2);
    await rpc.chain.rewind(block.header.height, { begin: async () => {}, end: async () => {} });
    nonce -= 3n;
    await blockWith(3);
    await expect.poll(() => client.pushed(all)).toHaveLength(7);
    const [one, two, three, ...rest] = client.pushed(all) as Record<string, unknown>[];
    const removed = [three, two, one].map((log) => ({ ...log, removed: true }));
    expect(rest).toEqual([...removed, expect.objectContaining({ topics: [topic(3)], removed: false })]);
    expect(client.pushed(twos)).toEqual([two, three, ...removed.slice(0, 2)]);
  });

  it('pushes hashes of pending transactions, or all of them', async () => {
    const client = await connect();
    const hashes = await client.subscribe('newPendingTransactions');
    const bodies = await client.subscribe('newPendingTransactions', true);
    const transaction = sign(2, { to: FRIEND, value: 1n, nonce: 2n });
    const raw = toHexData(transaction.raw);
    const hash = await rpc.result('eth_sendRawTransaction', raw);
    await expect.poll(() => client.pushed(bodies)).toHaveLength(1);
    expect(client.pushed(hashes)).toEqual([hash]);
    expect(client.pushed(bodies)).toEqual([await rpc.result('eth_getTransactionByHash', hash)]);
    expect(client.pushed(bodies)).toMatchObject([{ hash, blockHash: null, nonce: '0x2' }]);
  });

  it('tells at once that the node is not syncing', async () => {
    const client = await connect();
    const id = await client.subscribe('syncing');
    await expect.poll(() => client.pushed(id)).toEqual([false]);
    const [answer, told] = client.messages;
    expect(answer).toMatchObject({ result: id });
    expect(told).toMatchObject({ params: { subscription: id } });
  });

  it('ends with eth_unsubscribe, and with the connection', async () => {
    const client = await connect();
    const [id, other] = [await client.subscribe('newHeads'), await client.subscribe('newHeads')];
    expect((await client.call('eth_unsubscribe', id)).result).toBe(true);
    expect((await client.call('eth_unsubscribe', id)).error).toEqual({
      code: -32000,
      message: 'subscription not found',
    });
    await rpc.block();
    await expect.poll(() => client.pushed(other)).toHaveLength(1);
    expect(client.pushed(id)).toEqual([]);
    const stranger = await connect();
    expect((await stranger.call('eth_unsubscribe', other)).error).toMatchObject({ code: -32000 });
    client.socket.close();
    await once(client.socket, 'close');
    await expect.poll(() => rpc.metrics.text()).toContain('chain_rpc_subscriptions_count{kind="newHeads"} 0');
  });

  it('works in a batch, and the first push comes after the answer', async () => {
    const client = await connect();
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] },
      { jsonrpc: '2.0', id: 2, method: 'eth_getLogs', params: [{ fromBlock: '0x1' }] },
    ];
    client.socket.send(JSON.stringify(batch));
    await rpc.block();
    await rpc.block();
    await expect.poll(() => client.messages.length).toBeGreaterThan(0);
    expect(client.messages[0]).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it.each([
    [['nothing'], -32601, 'no "nothing" subscription in eth namespace'],
    [[], -32602, 'missing value for required argument 0'],
    [['logs', true], -32602, 'invalid argument 1: logs takes a filter object'],
    [['logs', { address: '0x12' }], -32602, expect.stringMatching(/^invalid argument 1: invalid address/)],
    [['logs', { blockHash: topic(1) }], -32602, expect.stringMatching(/^invalid argument 1: .*eth_getLogs/)],
    [['newPendingTransactions', {}], -32602, expect.stringMatching(/^invalid argument 1: /)],
  ])('refuses %j', async (params, code, message) => {
    const client = await connect();
    expect((await client.call('eth_subscribe', ...params)).error).toEqual({ code, message });
  });

  it('is refused over HTTP, and beyond the limits', async () => {
    const error = { code: -32601, message: 'notifications not supported' };
    expect((await rpc.call('eth_subscribe', 'newHeads')).error).toEqual(error);
    expect((await rpc.call('eth_unsubscribe', '0x1')).error).toEqual(error);
    const client = await connect();
    await client.subscribe('syncing');
    expect((await client.call('eth_subscribe', 'syncing')).error).toEqual({
      code: -32000,
      message: 'no new subscription can be created',
    });
    for (let i = 1; i < MAX_SUBSCRIPTIONS; i++) await client.subscribe('newHeads');
    expect((await client.call('eth_subscribe', 'newHeads')).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('too many subscriptions: this connection has 4'),
    });
  });
});
