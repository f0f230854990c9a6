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

describe('the limit', () => {
  const LIMIT = { 'limit.rate': '10', 'limit.burst': '20' };

  it('lets 20 calls through at once and refuses the 21st, with when to come back', async () => {
    const { url, clock, node } = await open(LIMIT);
    for (let i = 0; i < 20; i++) expect((await post(url, call('status'))).status).toBe(200);
    const refused = await post(url, call('status'));
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_005, message: 'too many requests', data: { retryAfterMs: 100 } },
      },
    ]);
    expect(node.seen).toHaveLength(20);
    clock.now += 100;
    expect((await post(url, call('status'))).status).toBe(200);
    expect((await fetch(`${url}/status`)).status).toBe(429);
  });

  it('refuses with the status that is asked for', async () => {
    const { url } = await open({ ...LIMIT, 'limit.burst': '1', 'limit.reject-status': '503' });
    await fetch(url);
    expect((await fetch(url)).status).toBe(503);
  });

  it('counts a batch by its calls, and keeps back one that is larger than any burst', async () => {
    const { url, clock, node } = await open(LIMIT);
    const batch = (size: number) =>
      `[${Array.from({ length: size }, (_, i) => call('status', i)).join(',')}]`;
    expect((await post(url, batch(15))).status).toBe(200);
    const refused = await post(url, batch(6));
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { id: null, error: { code: -32_005 } },
    ]);
    const tooLarge = await post(url, batch(21));
    expect([tooLarge.status, await tooLarge.json()]).toMatchObject([
      200,
      {
        id: null,
        error: { code: -32_600, data: { limit: 20 }, message: expect.stringContaining('21 calls') },
      },
    ]);
    clock.now += 2000;
    expect((await post(url, batch(20))).status).toBe(200);
    expect(node.seen).toHaveLength(2);
  });

  it('lets a page read why it was refused', async () => {
    const { url } = await open({ ...LIMIT, 'limit.burst': '1' });
    const headers = { origin: 'https://page.example' };
    await fetch(url, { headers });
    const refused = await fetch(url, { headers });
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(refused.headers.get('access-control-expose-headers')).toBe('retry-after');
  });

  it('keeps the connection of a client that it refuses', async () => {
    const { connect, node } = await open({ ...LIMIT, 'limit.burst': '1' });
    const socket = connect();
    const body = call('status');
    const request = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(request.repeat(3));
    await expect
      .poll(() => text.match(/HTTP\/1.1 \d+/g))
      .toEqual(['HTTP/1.1 200', 'HTTP/1.1 429', 'HTTP/1.1 429']);
    expect(text).not.toMatch(/connection: close/i);
    expect(node.seen).toHaveLength(1);
  });

  it('does not hold for exempt clients, and what may be asked does', async () => {
    const flags = { 'limit.rate': '1', 'limit.burst': '1', 'limit.exempt': '127.0.0.0/8,10.0.0.1' };
    const { url, configure } = await open({ ...flags, 'clients.trusted-proxies': '127.0.0.1' });
    const statuses = (headers = {}) =>
      Promise.all(Array.from({ length: 5 }, () => post(url, call('status'), headers).then((r) => r.status)));
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect(new Set(await statuses({ 'x-forwarded-for': '10.0.0.1' }))).toEqual(new Set([200]));
    expect(
      (await statuses({ 'x-forwarded-for': '10.0.0.2' })).filter((status) => status === 429),
    ).toHaveLength(4);
    const batch = await post(url, `[${[1, 2, 3].map((id) => call('status', id)).join(',')}]`);
    expect(await batch.json()).toHaveLength(3);
    expect((await fetch(`${url}/dial_seeds`)).status).toBe(403);
    await configure({ 'limit.exempt': '' });
    expect((await statuses()).filter((status) => status === 429)).toHaveLength(4);
  });

  it('goes over to new settings without dropping a connection', async () => {
    const { connect, configure, node } = await open({ ...LIMIT, 'limit.burst': '1' });
    const socket = connect();
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    const request = 'GET /status HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(request + request);
    await expect.poll(() => text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 429']);
    await configure({ 'limit.burst': '5', 'methods.deny': 'block', 'limit.ipv6-prefix': '48' });
    socket.write('GET /block HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => text.match(/HTTP\/1.1 \d+/g)).toHaveLength(3);
    expect(node.seen).toHaveLength(1);
    expect(socket.destroyed).toBe(false);
  });

  it('goes over to another node while a call to the old one is under way', async () => {
    const { url, configure, node } = await open();
    const other = await openProxy();
    const held = fetch(`${url}/held`);
    await expect.poll(() => node.seen.length).toBe(1);
    await configure({ 'upstream.url': other.node.url });
    await fetch(`${url}/block`);
    expect(other.node.seen.map((seen) => seen.url)).toEqual(['/block']);
    node.release();
    expect((await held).status).toBe(200);
    await other.close();
  });

  it('tells in its metrics what it did', async () => {
    const { url, metrics } = await open({ ...LIMIT, 'limit.burst': '2' });
    await post(url, call('status'));
    await post(url, call('dial_seeds'));
    await post(url, call('status'));
    const text = await metrics();
    expect(text).toContain('chain_limiter_requests_total{route="calls",code="200"} 2');
    expect(text).toContain('chain_limiter_requests_total{route="calls",code="429"} 1');
    expect(text).toContain('chain_limiter_rejected_total{reason="limited"} 1');
    expect(text).toContain('chain_limiter_rejected_total{reason="denied"} 1');
    expect(text).toContain('chain_limiter_upstream_seconds_count 1');
  });
});

describe('methods', () => {
  it('that change the node are refused, in a POST, in a batch and as a path', async () => {
    const { url, node } = await open();
    const single = await post(url, call('dial_seeds', 'x'));
    expect([single.status, await single.json()]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 'x',
        error: { code: -32_601, message: 'Method not found', data: 'dial_seeds is not served here' },
      },
    ]);
    const batch = await post(url, `[${call('dial_seeds', 1)},${call('unsafe_flush_mempool', 2)}]`);
    expect(await batch.json()).toMatchObject([
      { id: 1, error: { code: -32_601 } },
      { id: 2, error: { code: -32_601 } },
    ]);
    const uri = await fetch(`${url}/dial_peers?peers=["x"]`);
    expect([uri.status, await uri.json()]).toMatchObject([403, { id: -1, error: { code: -32_601 } }]);
    expect(node.seen).toEqual([]);
  });

  it('that are denied are answered in their place, while the others of the batch are made', async () => {
    const { url, node, metrics } = await open();
    const big = '{"jsonrpc":"2.0","id":2,"method":"block","params":{"height":12345678901234567890}}';
    const batch = await post(url, `[${call('dial_seeds', 1)},${big},${call('status', 'x')}]`);
    expect(await batch.json()).toMatchObject([
      { id: 2, result: 'block' },
      { id: 'x', result: 'status' },
      { id: 1, error: { code: -32_601, data: 'dial_seeds is not served here' } },
    ]);
    // As it was written, in numbers that a double cannot hold.
    expect(node.seen[0]!.body).toBe(`[${big},${call('status', 'x')}]`);
    const silent = await post(url, `[{"jsonrpc":"2.0","method":"status"},${call('dial_seeds', 1)}]`);
    expect(await silent.json()).toMatchObject([{ id: 1, error: { code: -32_601 } }]);
    const single = await post(url, `[${call('health', 5)},${call('dial_seeds', 6)}]`);
    expect(await single.json()).toMatchObject([
      { id: 5, result: 'health' },
      { id: 6, error: { code: -32_601 } },
    ]);
    expect(await metrics()).toContain('chain_limiter_rejected_total{reason="denied"} 3');
  });

  it('may be narrowed to a list', async () => {
    const { url, node } = await open({ 'methods.allow': 'status,abci_*' });
    expect((await fetch(`${url}/abci_query`)).status).toBe(200);
    expect((await fetch(`${url}/block`)).status).toBe(403);
    expect(node.seen).toHaveLength(1);
  });
});
