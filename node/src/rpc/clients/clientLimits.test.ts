import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ClientShares } from './clientShares.ts';
import { ClientState } from './clientState.ts';

const MIB = 1024 * 1024;
const addresses = (count: number) =>
  Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);

describe('what clients leave behind', () => {
  let rpc: RpcFixture;
  beforeAll(async () => {
    rpc = await openRpcFixture({ clients: { bytes: { maxPerClient: MIB, max: 64 * MIB } } });
  });
  afterAll(() => rpc.close());

  it.each(['eth_newFilter', 'eth_getLogs'])('%s takes no more addresses than the limit', async (method) => {
    const { error } = await rpc.call(method, { address: addresses(1001) });
    expect(error).toEqual({
      code: -32000,
      message:
        'exceed max addresses or topics per search position: 1001 are more than evm.log_query_limit, 1000; ask for fewer at a time',
    });
    expect((await rpc.call(method, { address: addresses(1000) })).error).toBeUndefined();
  });

  it('filters are bounded by what they take, and make room when they go', async () => {
    const install = () => rpc.call('eth_newFilter', { address: addresses(1000) });
    const ids: unknown[] = [];
    let refused = await install();
    for (; refused.error === undefined; refused = await install()) ids.push(refused.result);
    expect(ids.length).toBeLessThan(10);
    expect(refused.error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(
        /^filters and subscriptions of 127\.0\.0\.1 would take \d+ bytes, more than evm\.max_client_bytes, 1048576; remove some/,
      ),
    });
    await rpc.result('eth_uninstallFilter', ids[0]);
    expect((await install()).error).toBeUndefined();
  });

  it('subscriptions are bounded by the same', async () => {
    const socket = new WebSocket(rpc.wsUrl);
    await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
    const subscribe = (count: number): Promise<unknown> =>
      new Promise((answered) => {
        socket.addEventListener('message', ({ data }) => answered(JSON.parse(data)), { once: true });
        const params = ['logs', { address: addresses(count) }];
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
      });
    expect(await subscribe(1001)).toMatchObject({
      error: { message: expect.stringContaining('log_query_limit') },
    });
    expect(await subscribe(1000)).toMatchObject({
      error: { message: expect.stringContaining('evm.max_client_bytes') },
    });
    socket.close();
  });
});

it('shares are those of a client and those of all, and what is refused leaves no trace', () => {
  const limits = { maxPerClient: 2, max: 3 };
  const shares = new ClientShares(limits, (client, amount) => new RangeError(`${client} ${amount}`) as never);
  shares.hold('a', 2);
  expect(() => shares.hold('a', 1)).toThrow('a 3');
  shares.hold('b', 1);
  expect(() => shares.hold('b', 1)).toThrow('undefined 4');
  shares.release('a', 1);
  shares.hold('b', 1);
});

it('an entry that is too large leaves its count free', () => {
  const clients = new ClientState({
    filters: { maxPerClient: 1, max: 1 },
    subscriptions: { maxPerClient: 1, max: 1 },
    bytes: { maxPerClient: 10, max: 10 },
  });
  expect(() => clients.hold('filters', 'a', 11)).toThrow('would take 11 bytes');
  const release = clients.hold('filters', 'a', 10);
  expect(() => clients.hold('subscriptions', 'a', 1)).toThrow('evm.max_client_bytes');
  expect(() => clients.hold('filters', 'a', 0)).toThrow('a has installed 1');
  release();
  clients.hold('subscriptions', 'a', 10);
  expect(() => clients.hold('subscriptions', 'b', 0)).toThrow('all clients have 1');
});
