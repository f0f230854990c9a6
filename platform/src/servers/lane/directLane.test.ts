import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Lifecycle } from '../../lifecycle.ts';
import { silentLogger } from '../../logger.ts';
import type { HttpHandler } from '../httpExchange.ts';
import { type HttpServer, type HttpServerOptions, openHttpServer } from '../httpServer.ts';

let opened = new Lifecycle();
afterEach(async () => {
  await opened.close();
  opened = new Lifecycle();
});

const open = async (options: Partial<HttpServerOptions>): Promise<HttpServer> =>
  opened.own(await openHttpServer({ address: '127.0.0.1', port: 0, ...options }, { logger: silentLogger }));

interface Peer {
  readonly socket: Socket;
  readonly text: () => string;
  readonly ended: Promise<unknown>;
}
function peerOf(port: number): Peer {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
  });
  socket.on('error', () => {});
  return { socket, text: () => text, ended: once(socket, 'close') };
}
const post = (body: string, more = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

/** Answers at once or later, as the body asks. */
const echo: HttpHandler = ({ body }) => {
  const reply = { body: `<${body}>` };
  return body.includes('later') ? nextTurn().then(() => reply) : reply;
};

it('a server that drains answers on each connection once more, and asks its peer to go', async () => {
  const draining = new AbortController();
  const options = { address: '127.0.0.1', port: 0, post: echo, routes: [] };
  const deps = { logger: silentLogger, draining: draining.signal };
  const server = opened.own(await openHttpServer(options, deps));
  const [busy, idle] = [peerOf(server.port), peerOf(server.port)];
  for (const { socket } of [busy, idle]) socket.write(post('now'));
  while (!busy.text().endsWith('<now>') || !idle.text().endsWith('<now>')) await nextTurn();
  draining.abort();
  busy.socket.write(post('later'));
  await busy.ended;
  expect(busy.text()).toMatch(/keep-alive[^<]*<now>HTTP\/1.1 200[^<]*connection: close[^<]*<later>$/i);
  const late = peerOf(server.port);
  late.socket.write(post('now'));
  await late.ended;
  expect(late.text()).toMatch(/connection: close[^<]*<now>$/i);
  expect(idle.socket.destroyed).toBe(false);
});

describe('the direct lane', () => {
  const requests = fc.array(
    fc.oneof(
      fc.constantFrom('now', 'later', '').map((body) => post(body)),
      fc.constantFrom('now', 'later').map((body) => post(body, 'Connection: keep-alive\r\nX-A: b\r\n')),
      fc.constant('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
      fc.constantFrom('/get', '/get?x=1').map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
      fc.constant('POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi'),
      fc.constant('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nlater\r\n0\r\n\r\n'),
    ),
    { minLength: 1, maxLength: 8 },
  );
  /** Sends the text in these pieces and gives status and body of each answer. */
  async function answersOf(port: number, text: string, cuts: readonly number[]): Promise<string[]> {
    const { socket, text: heard, ended } = peerOf(port);
    const bounds = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort(
      (a, b) => a - b,
    );
    for (let i = 1; i < bounds.length; i++) {
      socket.write(text.slice(bounds[i - 1], bounds[i]));
      await nextTurn();
    }
    await ended;
    return [...heard().matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([^H]*)/g)].map(
      ([, status, body]) => `${status} ${body}`,
    );
  }
  const peer = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isPost = request.method === 'POST' && request.url === '/';
    const isGet = request.method === 'GET' && request.url?.startsWith('/get');
    const body = isGet ? `<${request.url}>` : isPost ? `<${Buffer.concat(chunks)}>` : '';
    response.writeHead(isPost || isGet ? 200 : 404, { 'content-length': body.length }).end(body);
  });
  beforeAll(async () => {
    peer.listen(0, '127.0.0.1');
    await once(peer, 'listening');
  });
  afterAll(() => void peer.close());

  it('answers any row of requests, however it is cut, as node:http does', async () => {
    const handler: HttpHandler = ({ url }) => ({ body: `<${url}>` });
    const get = (url: string) => (url.startsWith('/get') ? handler : undefined);
    const { port } = await open({ post: echo, get, routes: [{ method: 'GET', path: '/get', handler }] });
    const { port: peerPort } = peer.address() as AddressInfo;
    await fc.assert(
      fc.asyncProperty(requests, fc.array(fc.nat(), { maxLength: 6 }), async (row, cuts) => {
        const text = `${row.join('')}${post('last', 'Connection: close\r\n')}`;
        const [ours, theirs] = await Promise.all([
          answersOf(port, text, cuts),
          answersOf(peerPort, text, cuts),
        ]);
        expect(ours).toEqual(theirs);
        expect(ours.length).toBe(row.length + 1);
      }),
      { numRuns: 60 },
    );
  });

  it('sends a status line, the type, a date and the length', async () => {
    const { port } = await open({ post: echo, corsOrigins: ['https://a.example'] });
    const { socket, text } = peerOf(port);
    socket.write(post('xy', 'Origin: https://a.example\r\n'));
    await expect.poll(text).toContain('<');
    expect(text().split('\r\n')).toEqual([
      'HTTP/1.1 200 OK',
      'access-control-allow-origin: https://a.example',
      'vary: Origin',
      'content-type: application/json',
      expect.stringMatching(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
      'Connection: keep-alive',
      'Keep-Alive: timeout=120',
      'content-length: 4',
      '',
      '<xy>',
    ]);
    socket.destroy();
  });

  it('answers in order when one reply is compressed and the next is not', async () => {
    const long = 'y'.repeat(5000);
    const { port } = await open({
      post: ({ body }) => ({ body: body.toString() === 'long' ? long : 'short' }),
      limits: { compressFromBytes: 1000 },
    });
    const { socket, text } = peerOf(port);
    socket.write(post('long', 'Accept-Encoding: gzip\r\n') + post('x'));
    await expect.poll(text).toContain('short');
    expect(text().indexOf('content-encoding: gzip')).toBeLessThan(text().indexOf('short'));
    expect(text().indexOf('content-encoding: gzip')).toBeGreaterThan(0);
    socket.destroy();
  });

  it('keeps what comes too early while its reader is slow, and answers all of it', async () => {
    const { port } = await open({ post: () => ({ body: 'z'.repeat(100_000) }) });
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    for (let i = 0; i < 100; i++) socket.write(post(`${i}`));
    await nextTurn();
    let length = 0;
    socket.on('data', (data) => {
      length += data.length;
    });
    socket.resume();
    await expect.poll(() => length).toBeGreaterThan(100 * 100_000);
    socket.destroy();
  });

  it('tells a handler when its peer is gone', async () => {
    let gone = 0;
    let asked = 0;
    const { port } = await open({
      post: (request) => {
        request.onClose(() => gone++);
        asked++;
        return new Promise(() => {});
      },
    });
    const { socket } = peerOf(port);
    socket.write(post('x'));
    await expect.poll(() => asked).toBe(1);
    expect(gone).toBe(0);
    socket.destroy();
    await expect.poll(() => gone).toBe(1);
  });

  it('closes connections that say nothing, before their first request and after it', async () => {
    const limits = { headersTimeoutMs: 1500, keepAliveTimeoutMs: 50 };
    const { port } = await open({ post: echo, limits });
    const silent = peerOf(port);
    const served = peerOf(port);
    served.socket.write(post('x'));
    await Promise.all([silent.ended, served.ended]);
    expect(served.text()).toContain('<x>');
  });

  it('closes idle connections at once when the server closes, and the others with their answer', async () => {
    let finish: (() => void) | undefined;
    const server = await open({
      post: ({ body }) =>
        body.toString() === 'now'
          ? { body: 'ok' }
          : new Promise((resolve) => {
              finish = () => resolve({ body: 'in time' });
            }),
    });
    const [idle, busy] = [peerOf(server.port), peerOf(server.port)];
    idle.socket.write(post('now'));
    busy.socket.write(post('wait'));
    await expect.poll(() => finish && idle.text()).toContain('ok');
    const closed = server.close();
    await idle.ended;
    finish?.();
    await Promise.all([closed, busy.ended]);
    expect(busy.text()).toMatch(/connection: close[\s\S]*in time$/);
  });
});
