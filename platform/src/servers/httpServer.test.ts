import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import { createMetricsRegistry } from '../metrics/index.ts';
import { openAdminServer } from './adminServer.ts';
import { type HttpServerOptions, openHttpServer } from './httpServer.ts';

let opened = new Lifecycle();
afterEach(async () => {
  await opened.close();
  opened = new Lifecycle();
});

async function open(options: Partial<HttpServerOptions>): Promise<string> {
  const server = opened.own(
    await openHttpServer({ address: '127.0.0.1', port: 0, ...options }, { logger: silentLogger }),
  );
  return `http://127.0.0.1:${server.port}`;
}
const echo: HttpServerOptions['post'] = ({ body }) => ({ body: `got ${body}` });

describe('the fast lane', () => {
  it('hands over the whole body and sends status, headers and bytes', async () => {
    const url = await open({
      post: async ({ body, headers, remoteAddress }) => ({
        status: 201,
        headers: { 'x-seen': `${headers['content-type']} ${remoteAddress}` },
        body: Buffer.from(`<${body}>`),
      }),
    });
    const big = 'x'.repeat(300_000);
    const answer = await fetch(`${url}/?a=1`, {
      method: 'POST',
      body: big,
      headers: { 'content-type': 'a/b' },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-seen')).toBe('a/b 127.0.0.1');
    expect(await answer.text()).toBe(`<${big}>`);
  });

  it.each([
    { way: 'past node:http', head: 'Content-Length: 1\r\n\r\nx' },
    { way: 'over node:http', head: 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n' },
  ])(
    'cuts off a client that reads nothing of its reply $way',
    async ({ head }) => {
      const reply = Buffer.alloc(64 << 20, 'y');
      const limits = { maxConnections: 1, replyStallTimeoutMs: 200 };
      const url = await open({
        post: ({ body }) => ({ body: `${body}` === 'x' ? reply : 'served' }),
        limits,
      });
      const client = connect(Number(new URL(url).port), '127.0.0.1');
      await once(client, 'connect');
      client.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}`);
      await once(client, 'readable');
      // The server has room for nobody else until the client is gone.
      const served = () =>
        fetch(url, { method: 'POST', body: 'y' }).then(
          (it) => it.text(),
          () => 'refused',
        );
      await expect.poll(served, { timeout: 60_000 }).toBe('served');
      client.destroy();
    },
    120_000,
  );

  it('sends text of any script whole', async () => {
    for (const text of ['plain', 'é', '€ 漢字 😀', '']) {
      const url = await open({ post: () => ({ body: text }) });
      const answer = await fetch(url, { method: 'POST', body: '1' });
      expect(await answer.text()).toBe(text);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    }
  });

  it('answers 404 with an empty body elsewhere, and 500 when a handler throws', async () => {
    const url = await open({
      post: () => {
        return JSON.parse('{');
      },
    });
    const elsewhere = await fetch(`${url}/other`, { method: 'POST', body: '1' });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([404, '']);
    const crashed = await fetch(url, { method: 'POST', body: '1' });
    expect([crashed.status, await crashed.text()]).toEqual([500, 'internal error']);
  });

  it('refuses a body over the limit, declared or streamed', async () => {
    const url = await open({ post: echo, limits: { maxBodyBytes: 10 } });
    const declared = await fetch(url, { method: 'POST', body: 'x'.repeat(11) });
    expect([declared.status, await declared.text()]).toEqual([413, 'content length too large (11>10)']);
    const streamed = request(url, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    streamed.write('x'.repeat(50));
    const [response] = await once(streamed, 'response');
    expect(response.statusCode).toBe(413);
    streamed.on('error', () => {}).destroy();
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(10) })).status).toBe(200);
  });

  it('refuses with 429 when the bodies held at once exceed the budget, and gives the budget back', async () => {
    let finish: (() => void) | undefined;
    const url = await open({
      post: () =>
        new Promise((resolve) => {
          finish = () => resolve({ body: 'done' });
        }),
      limits: { maxConcurrentBodyBytes: 10 },
    });
    const first = fetch(url, { method: 'POST', body: '12345678' });
    await expect.poll(() => finish).toBeDefined();
    const busy = await fetch(url, { method: 'POST', body: '12345678' });
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '1']);
    finish?.();
    expect(await (await first).text()).toBe('done');
    finish = undefined;
    const later = fetch(url, { method: 'POST', body: '12345678' });
    await expect.poll(() => finish).toBeDefined();
    (finish as unknown as () => void)();
    expect((await later).status).toBe(200);
  });

  it('gives the budget back when a handler throws, and when a peer leaves in the middle of its body', async () => {
    const url = new URL(
      await open({
        post: ({ body }) => ({ body: JSON.stringify(JSON.parse(String(body))) }),
        limits: { maxConcurrentBodyBytes: 10 },
      }),
    );
    const post = (body: string) => fetch(url, { method: 'POST', body });
    for (let i = 0; i < 3; i++) expect((await post('{"a":')).status).toBe(500);
    const leaving = connect(Number(url.port), url.hostname);
    leaving.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"abc');
    await expect.poll(async () => (await post('"12"')).status).toBe(429);
    leaving.destroy();
    await expect.poll(async () => (await post('"12345678"')).status).toBe(200);
  });

  it('answers pipelined requests in their order, bodies in one piece or in many', async () => {
    const url = new URL(await open({ post: echo }));
    const socket = connect(Number(url.port), url.hostname);
    const asked = ['one', 'two', 'three'].map(
      (body) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const chunked =
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nfo\r\n2\r\nur\r\n0\r\n\r\n';
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    for (const byte of `${asked.join('')}${chunked}`) socket.write(byte);
    socket.write(`${asked.join('')}${chunked}`);
    const all = ['one', 'two', 'three', 'four', 'one', 'two', 'three', 'four'];
    await expect.poll(() => text.match(/got \w+?(?=HTTP|$)/g)).toEqual(all.map((body) => `got ${body}`));
    socket.destroy();
  });

  it('refuses with 408 when a body stops arriving', async () => {
    const url = new URL(await open({ post: echo, limits: { bodyIdleTimeoutMs: 50 } }));
    const socket = connect(Number(url.port), url.hostname);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1.1 408 /);
    expect(String(head)).toMatch(/retry-after: 1/i);
    socket.destroy();
  });

  it('compresses long replies for clients that accept it', async () => {
    const url = await open({ post: () => ({ body: 'y'.repeat(5000) }), limits: { compressFromBytes: 1000 } });
    const answer = await fetch(url, { method: 'POST', body: '1' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.text()).toBe('y'.repeat(5000));
    const plain = await fetch(url, { method: 'POST', body: '1', headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });

  it('lets browsers of listed origins in, and answers preflights', async () => {
    const url = await open({ post: echo, corsOrigins: ['https://a.example'] });
    const post = (origin: string) => fetch(url, { method: 'POST', body: '1', headers: { origin } });
    expect((await post('https://a.example')).headers.get('access-control-allow-origin')).toBe(
      'https://a.example',
    );
    expect((await post('https://b.example')).headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
  });
});

describe('the server', () => {
  it('lets a request under way finish while closing, then stops listening', async () => {
    let finish: (() => void) | undefined;
    const server = await openHttpServer(
      {
        address: '127.0.0.1',
        port: 0,
        post: () =>
          new Promise((resolve) => {
            finish = () => resolve({ body: 'in time' });
          }),
      },
      { logger: silentLogger },
    );
    const url = `http://127.0.0.1:${server.port}`;
    const answer = fetch(url, { method: 'POST', body: '1' });
    await expect.poll(() => finish).toBeDefined();
    const closed = server.close();
    finish?.();
    expect(await (await answer).text()).toBe('in time');
    await closed;
    await server.close();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('cuts what does not finish within the grace time', async () => {
    const server = await openHttpServer(
      { address: '127.0.0.1', port: 0, post: () => new Promise(() => {}), limits: { closeGraceMs: 50 } },
      { logger: silentLogger },
    );
    const cut = expect(
      fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', body: '1' }),
    ).rejects.toThrow();
    await server.close();
    await cut;
  });

  it('names address and port when it cannot listen', async () => {
    const url = new URL(await open({}));
    await expect(
      openHttpServer({ address: '127.0.0.1', port: Number(url.port) }, { logger: silentLogger }),
    ).rejects.toMatchObject({ code: 'HTTP_CANNOT_LISTEN', message: expect.stringContaining(url.port) });
  });

  it('routes by path with parameters', async () => {
    const url = await open({
      routes: [
        { method: 'GET', path: '/block/:height', handler: ({ params }) => ({ body: params.height! }) },
      ],
    });
    expect(await (await fetch(`${url}/block/7?x=1`)).text()).toBe('7');
  });
});

describe('the admin server', () => {
  it('prints metrics and answers probes by 200 or 503 with the reason', async () => {
    const metrics = createMetricsRegistry();
    metrics.counter({ name: 'chain_test_calls_total', help: 'calls' }).add(3);
    const health = {
      live: () => ({ ok: true }),
      ready: () => ({ ok: false, reason: 'last block is 90 s old', details: { height: 7 } }),
      started: () => ({ ok: true }),
    };
    const server = opened.own(
      await openAdminServer({ address: '127.0.0.1', port: 0 }, { metrics, health, logger: silentLogger }),
    );
    const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    expect(await (await get('/metrics')).text()).toContain('chain_test_calls_total 3');
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/startupz')).status).toBe(200);
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'unavailable',
      reason: 'last block is 90 s old',
      details: { height: 7 },
    });
  });
});
