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

describe('the client', () => {
  const ONE = { 'limit.rate': '1', 'limit.burst': '1' };
  const get = (url: string, forwardedFor: string) =>
    fetch(`${url}/status`, { headers: { 'x-forwarded-for': forwardedFor } }).then(({ status }) => status);

  it('is the peer, whatever it says of itself', async () => {
    const { url, node } = await open(ONE);
    expect(await get(url, '1.2.3.4')).toBe(200);
    expect(await get(url, '5.6.7.8')).toBe(429);
    expect(node.seen[0]!.headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('is what a trusted proxy says, and only the part that no client can make up', async () => {
    const { url, node } = await open({ ...ONE, 'clients.trusted-proxies': '127.0.0.0/8' });
    expect(await get(url, '1.2.3.4')).toBe(200);
    expect(await get(url, '1.2.3.4')).toBe(429);
    expect(await get(url, '9.9.9.9, 1.2.3.4')).toBe(429);
    expect(await get(url, '5.6.7.8')).toBe(200);
    expect(await get(url, '2001:db8:1:2::1')).toBe(200);
    expect(await get(url, '2001:db8:1:2::2')).toBe(429);
    expect(await get(url, '2001:db8:1:3::2')).toBe(200);
    expect(node.seen[0]!.headers['x-forwarded-for']).toBe('1.2.3.4, 127.0.0.1');
  });

  it('is what a PROXY header says, once connections begin with one', async () => {
    const { raw, node } = await open({
      ...ONE,
      'clients.trusted-proxies': '127.0.0.1',
      'clients.proxy-protocol': 'true',
    });
    const request = 'GET /status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const v1 = (client: string) => `PROXY TCP4 ${client} 10.0.0.1 1000 26657\r\n${request}`;
    expect(await raw(v1('1.2.3.4'))).toMatch(/^HTTP\/1.1 200/);
    expect(await raw(v1('1.2.3.4'))).toMatch(/^HTTP\/1.1 429/);
    expect(await raw(v1('5.6.7.8'))).toMatch(/^HTTP\/1.1 200/);
    const v2 = Buffer.from([
      ...Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
      0x21,
      0x11,
      0,
      12,
      9,
      8,
      7,
      6,
      10,
      0,
      0,
      1,
      0,
      1,
      0,
      2,
    ]);
    expect(await raw(Buffer.concat([v2, Buffer.from(request)]))).toMatch(/^HTTP\/1.1 200/);
    expect(node.seen.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      '1.2.3.4',
      '5.6.7.8',
      '9.8.7.6',
    ]);
    expect(await raw(request)).toBe('');
    expect(await raw('PROXY TCP4 nonsense\r\n')).toBe('');
  });

  it('may send the PROXY header byte by byte, but not forever', async () => {
    const { connect, raw } = await open({
      'clients.trusted-proxies': '127.0.0.1',
      'clients.proxy-protocol': 'true',
      'http.header-timeout': '200ms',
    });
    const socket = connect().setNoDelay(true);
    const text =
      'PROXY TCP4 1.2.3.4 10.0.0.1 1 2\r\nGET /status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    for (const byte of text) await new Promise((sent) => socket.write(byte, sent));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200/);
    expect(await raw('PROXY TCP4 1.2')).toBe('');
  });

  it('has so many connections and no more', async () => {
    const { connect, metrics } = await open({ 'clients.max-connections': '2' });
    const [a, b] = [connect(), connect()];
    await Promise.all([once(a, 'connect'), once(b, 'connect')]);
    const refused = connect();
    await once(refused, 'close');
    expect(await metrics()).toContain('chain_limiter_rejected_total{reason="connections"} 1');
    a.destroy();
    await once(a, 'close');
    await expect
      .poll(async () => {
        const again = connect();
        again.write('GET /status HTTP/1.1\r\nHost: a\r\n\r\n');
        const [data] = await Promise.race([once(again, 'data'), once(again, 'close')]);
        return String(data).startsWith('HTTP/1.1 200');
      })
      .toBe(true);
  });
});
