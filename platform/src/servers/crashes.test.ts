import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import { createMetricsRegistry } from '../metrics/index.ts';
import { type HttpServerOptions, openHttpServer } from './httpServer.ts';
import type { WebSocketPeer, WebSocketSession } from './webSocket/webSocketPeer.ts';
import { openWebSocketServer } from './webSocket/webSocketServer.ts';

let opened = new Lifecycle();
afterEach(async () => {
  await opened.close();
  opened = new Lifecycle();
});

const crash = (): never => {
  throw new RangeError('planted');
};
const later = async (): Promise<never> => crash();

async function open(options: Partial<HttpServerOptions>) {
  const metrics = createMetricsRegistry();
  const deps = { logger: silentLogger, metrics };
  const server = opened.own(await openHttpServer({ address: '127.0.0.1', port: 0, ...options }, deps));
  return { port: server.port, counted: () => crashesIn(metrics, 'http') };
}

async function crashesIn(
  metrics: ReturnType<typeof createMetricsRegistry>,
  boundary: string,
): Promise<number> {
  const line = new RegExp(`chain_crashes_total\\{boundary="${boundary}"\\} (\\d+)`).exec(
    await metrics.text(),
  );
  return Number(line?.[1] ?? 0);
}

/** All that comes back for these bytes. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece)).on('error', () => undefined);
  socket.end(bytes);
  await once(socket, 'close');
  return Buffer.concat(pieces).toString();
}

const head = (line: string, ...headers: string[]) => `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;
const WAYS = {
  'past node:http': `${head('POST / HTTP/1.1', 'Content-Length: 1')}x`,
  'over node:http': `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Connection: close')}1\r\nx\r\n0\r\n\r\n`,
  'through the framework': head('GET /page HTTP/1.1', 'Connection: close'),
};

describe('what a request throws', () => {
  it.each(Object.entries(WAYS))('is its own error, %s', async (_way, bytes) => {
    for (const handler of [crash, later, () => ({ headers: { 'x-bad\n': 'a' }, status: 9999 })]) {
      const { port, counted } = await open({
        post: handler,
        routes: [{ method: 'GET', path: '/page', handler }],
      });
      const answer = await raw(port, bytes);
      if (handler === crash || handler === later) expect(answer).toMatch(/^HTTP\/1\.1 500 /);
      if (answer.startsWith('HTTP/1.1 500')) expect(await counted()).toBeGreaterThan(0);
    }
  });

  it('before its handler is known, or once its peer is gone, is counted and ends the connection', async () => {
    const { port, counted } = await open({
      get: crash,
      retryAfterMs: () => 0,
      upgrade: crash,
      post: (request) => {
        request.onClose(crash);
        return { body: 'served' };
      },
    });
    expect(await raw(port, head('GET /path HTTP/1.1'))).toBe('');
    expect(await counted()).toBe(1);
    expect(await raw(port, head('GET / HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'))).toBe('');
    expect(await counted()).toBe(2);
    for (const way of ['past node:http', 'over node:http'] as const) {
      expect(await raw(port, WAYS[way])).toContain('served');
    }
    await expect.poll(counted).toBe(4);
  });
});

describe('what a WebSocket session throws', () => {
  it.each([
    ['when it begins', 0],
    ['at a message', 1],
    ['at a message, later', 2],
    ['when it ends', 3],
  ] as const)('%s ends that connection alone', async (_when, place) => {
    const metrics = createMetricsRegistry();
    const plant = (at: number): void => void (at === place && crash());
    const connected = (peer: WebSocketPeer): WebSocketSession => {
      plant(0);
      return {
        message: async (body) => {
          plant(2);
          peer.send(String(body));
        },
        isIdle: () => true,
        closed: () => plant(3),
      };
    };
    const atOnce = (peer: WebSocketPeer): WebSocketSession => ({
      ...connected(peer),
      message: () => plant(1),
    });
    const options = {
      address: '127.0.0.1',
      port: 0,
      origins: [],
      connected: place === 1 ? atOnce : connected,
    };
    const server = opened.own(await openWebSocketServer(options, { logger: silentLogger, metrics }));
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    socket.on('open', () => socket.send('1')).on('error', () => undefined);
    socket.on('message', () => socket.close());
    await once(socket, 'close');
    await expect.poll(() => crashesIn(metrics, 'websocket')).toBe(1);
  });
});
