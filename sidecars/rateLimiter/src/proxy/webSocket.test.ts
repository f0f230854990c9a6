import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type OpenedProxy, openProxy } from './openedProxy.fixture.ts';

let opened: OpenedProxy | undefined;
const clients: WebSocket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await opened?.close();
  opened = undefined;
});
async function open(flags: Readonly<Record<string, string>> = {}): Promise<OpenedProxy> {
  opened = await openProxy(flags);
  return opened;
}

interface Client {
  readonly socket: WebSocket;
  readonly heard: string[];
  readonly ended: Promise<{ code: number; reason: string }>;
}
async function join(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`, { headers });
  clients.push(socket);
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  const ended = new Promise<{ code: number; reason: string }>((done) => {
    socket.on('close', (code, reason) => done({ code, reason: String(reason) }));
  });
  await once(socket, 'open');
  return { socket, heard, ended };
}
/** The status with which a handshake is refused. */
async function refusal(url: string, path = '/websocket'): Promise<number | undefined> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
  clients.push(socket);
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}
const call = (method: string, id: number) => JSON.stringify({ jsonrpc: '2.0', id, method });
const errorCodes = ({ heard }: Client) =>
  heard.flatMap((text) =>
    text.startsWith('{') ? [(JSON.parse(text) as { error: { code: number } }).error.code] : [],
  );

describe('WebSocket', () => {
  it('carries messages both ways, and pushes of the node', async () => {
    const { url, node } = await open();
    const client = await join(url, { origin: 'https://page.example' });
    client.socket.send(call('subscribe', 1));
    await expect.poll(() => client.heard).toEqual([`echo ${call('subscribe', 1)}`]);
    node.push('event');
    await expect.poll(() => client.heard).toContain('event');
    expect(node.messages).toEqual([call('subscribe', 1)]);
  });

  it('counts the handshake and each message; refuses with the id of the call', async () => {
    const { url, node, clock } = await open({ 'limit.rate': '10', 'limit.burst': '20' });
    const client = await join(url);
    for (let i = 0; i < 25; i++) client.socket.send(call('status', i));
    await expect.poll(() => client.heard).toHaveLength(25);
    expect(node.messages).toHaveLength(19);
    const refused = client.heard.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
    expect(refused[0]).toEqual({
      jsonrpc: '2.0',
      id: 19,
      error: { code: -32_005, message: 'too many requests', data: { retryAfterMs: 100 } },
    });
    clock.now += 1000;
    client.socket.send(call('status', 99));
    await expect.poll(() => node.messages).toHaveLength(20);
  });

  it('lets through no method that is denied, no batch that is too large, and nothing unreadable', async () => {
    const { url, node } = await open({ 'limit.burst': '5' });
    const client = await join(url);
    client.socket.send(call('dial_seeds', 1));
    client.socket.send('{"method":"status","METHOD":"dial_seeds"}');
    client.socket.send('{');
    client.socket.send(Buffer.from(call('unsafe_flush_mempool', 2)));
    await expect.poll(() => errorCodes(client)).toEqual([-32_601, -32_600, -32_700, -32_601]);
    opened!.clock.now += 10_000;
    client.socket.send(`[${Array.from({ length: 6 }, (_, i) => call('status', i)).join(',')}]`);
    await expect.poll(() => errorCodes(client)).toHaveLength(5);
    expect(errorCodes(client).at(-1)).toBe(-32_600);
    expect(node.messages).toEqual([]);
  });

  it('takes batches apart: each call is passed on or refused, and answered, by itself', async () => {
    const { url, node } = await open({ 'web-socket.max-refused': '3' });
    const client = await join(url);
    const batch = (...calls: string[]) => client.socket.send(`[${calls.join(' , ')}]`);
    const long = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"status","params":[1.0]}';
    batch(call('status', 1), call('dial_seeds', 2), long);
    await expect.poll(() => client.heard).toHaveLength(3);
    expect(node.messages).toEqual([call('status', 1), long]);
    expect(client.heard.map((text) => (text.startsWith('echo') ? text : JSON.parse(text)))).toEqual([
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32_601 }) }),
      `echo ${call('status', 1)}`,
      `echo ${long}`,
    ]);
    batch(call('health', 3), call('status', 4));
    await expect.poll(() => node.messages).toHaveLength(4);
    batch(call('dial_seeds', 5), call('dial_seeds', 6));
    await expect.poll(() => errorCodes(client)).toEqual([-32_601, -32_601, -32_601]);
    batch(call('dial_seeds', 7), call('dial_peers', 8));
    expect((await client.ended).code).toBe(1008);
    expect(node.messages).toHaveLength(4);
  });

  it('ends when the node ends it, with its code, and the other way round', async () => {
    const { url, node, proxy } = await open();
    const client = await join(url);
    await node.close();
    expect((await client.ended).code).toBe(1011);
    await expect.poll(() => proxy.webSockets).toBe(0);
  });

  it('frees its place when the client leaves without a word', async () => {
    const { url, proxy } = await open({ 'clients.max-web-sockets': '1' });
    const client = await join(url);
    expect(await refusal(url)).toBe(503);
    client.socket.terminate();
    await expect.poll(() => proxy.webSockets).toBe(0);
    await join(url);
  });

  it('is refused elsewhere, when switched off, when all places are taken, and while the node is away', async () => {
    const { url, configure, node } = await open({ 'web-socket.max-connections': '1' });
    expect(await refusal(url, '/other')).toBe(404);
    await join(url);
    expect(await refusal(url)).toBe(503);
    await configure({ 'web-socket.enabled': 'false' });
    expect(await refusal(url)).toBe(404);
    await configure({ 'web-socket.max-connections': '10' });
    await node.close();
    expect(await refusal(url)).toBe(502);
  });

  it('is told when the limiter stops', async () => {
    const { url, proxy } = await open();
    const client = await join(url);
    await proxy.close();
    expect(await client.ended).toEqual({ code: 1001, reason: 'the limiter stops' });
  });
});

describe('a flood by WebSocket', () => {
  it('of messages ends with the connection, and little of it reaches the node', async () => {
    const { url, node, metrics } = await open({ 'limit.rate': '10', 'limit.burst': '20' });
    const client = await join(url);
    for (let i = 0; i < 5000; i++) client.socket.send(call('status', i));
    expect((await client.ended).code).toBe(1008);
    expect(node.messages).toHaveLength(19);
    const counted = /rejected_total\{reason="limited"\} (\d+)/.exec(await metrics());
    expect(Number(counted?.[1])).toBeGreaterThanOrEqual(100);
  });

  it('of pings ends likewise', async () => {
    const { url } = await open({ 'limit.rate': '10', 'limit.burst': '20' });
    const client = await join(url);
    for (let i = 0; i < 1000; i++) client.socket.ping();
    expect([1006, 1008]).toContain((await client.ended).code);
  });

  it('of bytes in one message, or of fragments, ends it', async () => {
    const { url } = await open({ 'web-socket.max-message-bytes': '2048' });
    const large = await join(url);
    large.socket.send('x'.repeat(4096));
    expect((await large.ended).code).toBe(1009);
    const { url: other } = await openAgain();
    const fragments = await join(other);
    for (let i = 0; i < 3000; i++) fragments.socket.send('x', { fin: false });
    expect([1006, 1008]).toContain((await fragments.ended).code);
  });

  it('of large messages is taken in as the node takes it', async () => {
    const { url, node } = await open();
    const client = await join(url);
    for (let i = 0; i < 200; i++) client.socket.send(call('x'.repeat(100_000), i));
    await expect.poll(() => node.messages).toHaveLength(200);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });

  it('of pushes to a client that reads nothing stops at the node', async () => {
    const { proxy, node } = await open({ 'web-socket.pong-timeout': '300ms' });
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'GET /websocket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(socket, 'data');
    socket.pause();
    for (let i = 0; i < 200; i++) node.push('x'.repeat(1_000_000));
    await expect.poll(() => proxy.webSockets).toBe(0);
    socket.destroy();
  });

  it('of half-open connections ends with the pings that they do not answer', async () => {
    const { proxy } = await open({ 'web-socket.ping-interval': '50ms', 'web-socket.pong-timeout': '50ms' });
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'GET /websocket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(socket, 'data');
    await expect.poll(() => proxy.webSockets).toBe(0);
    socket.destroy();
  });
});

/** A second proxy, when the first of a test has served its purpose. */
async function openAgain(): Promise<OpenedProxy> {
  await opened?.close();
  return open();
}
