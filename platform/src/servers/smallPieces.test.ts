import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import { openHttpServer } from './httpServer.ts';
import { openWebSocketServer, type WebSocketPeer } from './index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MIB = 1024 * 1024;
const UPGRADE =
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

let opened = new Lifecycle();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await opened.close();
  opened = new Lifecycle();
});

function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Sends the part so often; the most memory that is held meanwhile, above what was held before. */
async function maxHeld(socket: Socket, part: Buffer, times: number): Promise<number> {
  const before = held();
  let max = 0;
  for (let i = 0; i < times && socket.writable; i++) {
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    // The server reads in turns between.
    for (let turn = 0; turn < 60; turn++) await new Promise(setImmediate);
    max = Math.max(max, held() - before);
  }
  return max;
}

it.each(['/', '/routed'])(
  'a body of chunks of one byte takes little more than its bytes: POST %s',
  async (path) => {
    const limits = { bodyIdleTimeoutMs: 600_000, requestTimeoutMs: 600_000 };
    const post = ({ body }: { readonly body: Buffer }) => ({ body: `${body.length} ${body.at(-1)}` });
    const routes = [{ method: 'POST' as const, path: '/routed', handler: post }];
    const options = { address: '127.0.0.1', port: 0, post, routes, limits };
    const { port } = opened.own(await openHttpServer(options, { logger: silentLogger }));
    const socket = dial(port);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const maxMemory = await maxHeld(socket, Buffer.from('1\r\nx\r\n'.repeat(20_000)), 20);
    expect(maxMemory).toBeLessThan(6 * MIB);
    const answer = once(socket, 'data');
    socket.write('1\r\ny\r\n0\r\n\r\n');
    expect(String((await answer)[0])).toMatch(/\r\n\r\n400001 121$/);
  },
);

const frame = (first: number, length: number): Buffer =>
  Buffer.concat([Buffer.of(first, 0x80 | length, 0, 0, 0, 0), Buffer.alloc(length, 0x78)]);

async function openWebSockets(limits: object) {
  const peers: WebSocketPeer[] = [];
  const messages: number[] = [];
  const options = { address: '127.0.0.1', port: 0, origins: [], limits };
  const connected = (peer: WebSocketPeer) => {
    peers.push(peer);
    const message = (body: Buffer): void => void messages.push(body.length);
    return { message, isIdle: () => false, closed: () => void peers.splice(peers.indexOf(peer), 1) };
  };
  const server = opened.own(await openWebSocketServer({ ...options, connected }, { logger: silentLogger }));
  const join = async (): Promise<Socket> => {
    const socket = dial(server.port);
    socket.write(UPGRADE);
    await once(socket, 'data');
    return socket;
  };
  return { peers, messages, join };
}

it('a WebSocket message of fragments of one byte ends its connection', async () => {
  const { peers, join } = await openWebSockets({});
  const socket = await join();
  socket.write(frame(0x01, 1));
  const part = Buffer.concat(new Array<Buffer>(10_000).fill(frame(0, 1)));
  expect(await maxHeld(socket, part, 14)).toBeLessThan(12 * MIB);
  await expect.poll(() => peers.length).toBe(0);
});

it('messages that are not whole take so much in all, and those that began first give way', async () => {
  const { messages, join } = await openWebSockets({ maxPartialBytes: 4 * MIB });
  const begin = Buffer.concat([
    Buffer.of(0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0),
    Buffer.alloc(1024 * 512),
  ]);
  const first = await join();
  const closed = once(first, 'close');
  first.write(begin);
  first.resume();
  const others: Socket[] = [];
  for (let i = 0; i < 6; i++) {
    others.push(await join());
    others.at(-1)!.write(begin);
  }
  await closed;
  // Whoever came last has room, and whoever sends small ones is in nobody's way.
  others.at(-1)!.write(Buffer.alloc(1024 * 512));
  await expect.poll(() => messages).toContain(1024 * 1024);
  (await join()).write(frame(0x81, 5));
  await expect.poll(() => messages).toContain(5);
});

it('pings whose answers nobody reads are not read any further, and are answered when they are', async () => {
  const maxBufferedAnswerBytes = 256 * 1024;
  const { peers, join } = await openWebSockets({ maxBufferedAnswerBytes, pongTimeoutMs: 600_000 });
  const socket = await join();
  socket.pause();
  const pings = 500;
  const part = Buffer.concat(new Array<Buffer>(pings).fill(frame(0x89, 125)));
  let sent = 0;
  while (sent < 250 && peers[0]!.bufferedBytes <= maxBufferedAnswerBytes) {
    socket.write(part);
    sent++;
    await new Promise(setImmediate);
  }
  // More than the system's buffers take.
  for (; sent < 300; sent++) socket.write(part);
  for (let turn = 0; turn < 2000; turn++) await new Promise(setImmediate);
  expect(peers[0]!.bufferedBytes).toBeGreaterThan(maxBufferedAnswerBytes);
  expect(peers[0]!.bufferedBytes).toBeLessThan(2 * maxBufferedAnswerBytes);
  let answered = 0;
  socket.on('data', (chunk: Buffer) => {
    answered += chunk.length;
  });
  socket.resume();
  await expect.poll(() => answered).toBe(sent * pings * 127);
});
