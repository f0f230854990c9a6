import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenedProxy, openProxy } from './openedProxy.fixture.ts';

let opened: OpenedProxy | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
async function open(flags: Readonly<Record<string, string>> = {}): Promise<OpenedProxy> {
  opened = await openProxy(flags);
  return opened;
}

const call = (method: string, id: unknown = 1) => JSON.stringify({ jsonrpc: '2.0', id, method });
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });

describe('the proxy', () => {
  it('passes calls and URIs on as they are, and answers back', async () => {
    const { url, node } = await open();
    const answer = await post(`${url}/`, call('block'), { 'content-type': 'application/json', 'x-own': 'a' });
    expect([answer.status, answer.headers.get('x-node'), await answer.text()]).toEqual([
      200,
      '1',
      '{"path":"/"}',
    ]);
    expect(await (await fetch(`${url}/block?height=7`)).text()).toBe('{"path":"/block"}');
    const failing = await fetch(`${url}/failing`);
    expect([failing.status, failing.headers.getSetCookie(), await failing.text()]).toEqual([
      500,
      ['a=1', 'b=2'],
      'broken',
    ]);
    expect(node.seen.map(({ method, url: path, body }) => [method, path, body])).toEqual([
      ['POST', '/', call('block')],
      ['GET', '/block?height=7', ''],
      ['GET', '/failing', ''],
    ]);
    expect(node.seen[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-own': 'a',
      host: url.slice('http://'.length),
      'x-forwarded-for': '127.0.0.1',
    });
  });

  it('leaves out headers that concern one connection alone', async () => {
    const { raw, node } = await open();
    const answer = await raw(
      'GET /status HTTP/1.1\r\nHost: a\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\nX-Kept: 2\r\nTE: trailers\r\nProxy-Authorization: x\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(node.seen[0]!.headers).toMatchObject({ 'x-kept': '2', host: 'a' });
    for (const name of ['x-secret', 'te', 'proxy-authorization', 'upgrade']) {
      expect(node.seen[0]!.headers[name], name).toBeUndefined();
    }
  });

  it('uses few connections to the node for many requests', async () => {
    const { url, node } = await open();
    for (let i = 0; i < 30; i++) await (await fetch(`${url}/status`)).text();
    expect(node.connections()).toBeLessThan(4);
  });

  it('streams an answer no faster than the client takes it, and stops it when the client leaves', async () => {
    const { connect, node, proxy } = await open();
    const socket = connect();
    socket.write('GET /endless HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    let last = -1;
    await expect
      .poll(
        () => {
          const isStill = node.streamed() === last && last > 0;
          last = node.streamed();
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(node.streamed()).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
    await expect.poll(() => proxy.underWay).toBe(0);
  });

  it('answers 502 while the node cannot be reached, and cuts an answer that the node cuts', async () => {
    const { url, node } = await open();
    await expect((await fetch(`${url}/cut`)).text()).rejects.toThrow();
    await node.close();
    const answer = await post(`${url}/`, call('status'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '1']);
    expect(await answer.json()).toMatchObject({
      error: { code: -32_603, message: 'the node cannot be reached' },
    });
  });

  it('answers 504 when the node does not answer in time, and 503 when too much is under way', async () => {
    const { url, node, proxy } = await open({ 'upstream.answer-timeout': '1s', 'http.max-concurrent': '1' });
    const first = fetch(`${url}/held`);
    await expect.poll(() => proxy.underWay).toBe(1);
    const second = await fetch(`${url}/status`);
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await first).status).toBe(504);
    node.release();
    expect((await fetch(`${url}/status`)).status).toBe(200);
  });

  it('serves clients that ask for a continue, and HTTP/1.0', async () => {
    const { raw, node } = await open();
    const body = call('status');
    const answer = await raw(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
    expect(await raw('GET /status HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK/);
    expect(node.seen).toHaveLength(2);
  });

  it('asks clients to connect anew while it drains', async () => {
    const { url, clock } = await open();
    expect((await fetch(`${url}/status`)).headers.get('connection')).toBe('keep-alive');
    clock.draining = true;
    expect((await fetch(`${url}/status`)).headers.get('connection')).toBe('close');
  });

  it('finishes what is under way when it closes, and takes no more connections', async () => {
    const { url, node, proxy } = await open();
    const held = fetch(`${url}/held`);
    await expect.poll(() => node.seen.length).toBe(1);
    const closed = proxy.close();
    await expect(fetch(`${url}/status`)).rejects.toThrow();
    node.release();
    expect((await held).status).toBe(200);
    await closed;
  });

  it('cuts what does not finish within the grace time', async () => {
    const { url, node, proxy } = await open({ 'drain.grace': '50ms' });
    const held = fetch(`${url}/held`);
    await expect.poll(() => node.seen.length).toBe(1);
    const cut = expect(held).rejects.toThrow();
    await proxy.close();
    await cut;
  });
});
