import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import { openHttpServer } from './httpServer.ts';
import { openWebSocketServer } from './webSocket/webSocketServer.ts';

let opened = new Lifecycle();
afterEach(async () => {
  await opened.close();
  opened = new Lifecycle();
});

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(port: number, { method = 'GET', path = '/', headers = {} }: Asked): Promise<number> {
  const body = method === 'POST' ? 'x' : '';
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, method, path, headers: { 'content-length': body.length, ...headers } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      },
    );
    sent.on('error', reject).end(body);
  });
}

const ways: readonly (readonly [string, Asked])[] = [
  ['the lane', { method: 'POST' }],
  ["node:http's side", { method: 'POST', headers: { connection: 'close' } }],
  ['the framework', { path: '/page' }],
  ['an unknown path', { path: '/none' }],
];

describe('the gate before', () => {
  it.each(ways)('%s asks for the host', async (_way, asked) => {
    const handler = () => ({ body: '' });
    const server = await openHttpServer(
      {
        address: '127.0.0.1',
        port: 0,
        vhosts: ['localhost'],
        corsOrigins: ['*'],
        post: handler,
        routes: [{ method: 'GET', path: '/page', handler }],
      },
      { logger: silentLogger },
    );
    opened.own(server);
    const status = (host: string) => ask(server.port, { ...asked, headers: { ...asked.headers, host } });
    const usual = asked.path === '/none' ? 404 : 200;
    expect(await status('localhost')).toBe(usual);
    expect(await status(`127.0.0.1:${server.port}`)).toBe(usual);
    expect(await status('evil.example')).toBe(403);
  });

  it.each(ways)('%s asks for a token', async (_way, asked) => {
    const handler = () => ({ body: '' });
    const server = await openHttpServer(
      {
        address: '127.0.0.1',
        port: 0,
        corsOrigins: ['*'],
        post: handler,
        access: { admits: (authorization) => authorization === 'Bearer right' },
        routes: [{ method: 'GET', path: '/page', handler }],
      },
      { logger: silentLogger },
    );
    opened.own(server);
    const status = (headers: Record<string, string>) =>
      ask(server.port, { ...asked, headers: { ...asked.headers, ...headers } });
    expect(await status({ authorization: 'Bearer right' })).toBe(asked.path === '/none' ? 404 : 200);
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await status({})).toBe(401);
    const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
    expect(await ask(server.port, { method: 'OPTIONS', headers: preflight })).toBe(204);
  });

  it('WebSocket asks for both, and for the origin of a page', async () => {
    const server = await openWebSocketServer(
      {
        address: '127.0.0.1',
        port: 0,
        origins: [],
        vhosts: ['localhost'],
        access: { admits: (authorization) => authorization === 'Bearer right' },
        connected: () => ({ message: () => undefined, isIdle: () => true, closed: () => undefined }),
      },
      { logger: silentLogger },
    );
    opened.own(server);
    const own = `127.0.0.1:${server.port}`;
    const status = (headers: Record<string, string>): Promise<number> => {
      const socket = new WebSocket(`ws://${own}`, { headers: { authorization: 'Bearer right', ...headers } });
      return new Promise((resolve) => {
        socket.on('error', () => undefined);
        socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode!));
        socket.once('open', () => {
          socket.terminate();
          resolve(101);
        });
      });
    };
    expect(await status({})).toBe(101);
    expect(await status({ origin: `http://${own}` })).toBe(101);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ host: 'evil.example', origin: 'http://evil.example' })).toBe(403);
    expect(await status({ authorization: '' })).toBe(401);
  });
});
