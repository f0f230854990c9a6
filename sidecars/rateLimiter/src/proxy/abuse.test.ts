import { once } from 'node:events';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
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

const RUNS = Number(process.env.LIMITER_ATTACKS ?? 8);

const SECRET = '{"jsonrpc":"2.0","id":9,"method":"dial_seeds"}';
const GOOD = '{"jsonrpc":"2.0","id":1,"method":"status"}';
const HIDDEN = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${SECRET.length}\r\n\r\n${SECRET}`;
const head = (...lines: string[]) => `${['POST / HTTP/1.1', 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Requests whose end two readers may see at different places, with a forbidden call behind the first end. */
const SMUGGLED: Readonly<Record<string, string>> = {
  'a length and chunks': `${head(`Content-Length: ${GOOD.length}`, 'Transfer-Encoding: chunked')}${chunk(GOOD)}0\r\n\r\n${HIDDEN}`,
  'chunks and a length': `${head('Transfer-Encoding: chunked', 'Content-Length: 4')}${chunk(GOOD)}0\r\n\r\n${HIDDEN}`,
  'two lengths': `${head('Content-Length: 4', `Content-Length: ${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'two lengths in one header': `${head(`Content-Length: ${GOOD.length}, 4`)}${GOOD}${HIDDEN}`,
  'a length with a sign': `${head(`Content-Length: +${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'a length in hex': `${head('Content-Length: 0x2a')}${GOOD}${HIDDEN}`,
  'a blank before the colon': `${head('Transfer-Encoding : chunked', `Content-Length: ${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'an unknown coding': `${head('Transfer-Encoding: xchunked')}${chunk(GOOD)}0\r\n\r\n${HIDDEN}`,
  'chunked, but not last': `${head('Transfer-Encoding: chunked, identity')}${chunk(GOOD)}0\r\n\r\n${HIDDEN}`,
  'a coding on a folded line': `${head('Transfer-Encoding:\r\n chunked', `Content-Length: ${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'a coding behind a tab of no name': `${head('X: y\nTransfer-Encoding: chunked', `Content-Length: ${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'lines that end with a line feed alone': `POST / HTTP/1.1\nHost: a\nContent-Length: ${GOOD.length}\n\n${GOOD}${HIDDEN}`,
  'a carriage return within a value': `${head(`X: a\rContent-Length: 0`, `Content-Length: ${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'a zero byte within a value': `${head('X: a\0b', `Content-Length: ${GOOD.length}`)}${GOOD}${HIDDEN}`,
  'a chunk size that overflows': `${head('Transfer-Encoding: chunked')}fffffffffffffffff\r\n${GOOD}\r\n0\r\n\r\n${HIDDEN}`,
  'a chunk size with blanks': `${head('Transfer-Encoding: chunked')}2a \r\n${GOOD}\r\n0\r\n\r\n${HIDDEN}`,
  'a chunk with a bare line feed': `${head('Transfer-Encoding: chunked')}2a\n${GOOD}\n0\n\n${HIDDEN}`,
  'a chunk longer than it says': `${head('Transfer-Encoding: chunked')}5\r\n${GOOD}\r\n0\r\n\r\n${HIDDEN}`,
  'a body on GET': `GET / HTTP/1.1\r\nHost: a\r\nContent-Length: ${SECRET.length}\r\n\r\n${SECRET}`,
  'a body on GET in chunks': `GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(SECRET)}0\r\n\r\n`,
  'a whole URL': `GET http://a/dial_seeds HTTP/1.1\r\nHost: a\r\n\r\n`,
  'an upgrade with a body': `${head('Connection: Upgrade', 'Upgrade: h2c', `Content-Length: ${SECRET.length}`)}${SECRET}`,
  'no host': `POST / HTTP/1.1\r\nContent-Length: ${SECRET.length}\r\n\r\n${SECRET}`,
};

describe('smuggling', () => {
  it.each(Object.entries(SMUGGLED))('by %s brings no forbidden call to the node', async (_name, bytes) => {
    const { raw, node, url } = await open({
      'http.keep-alive-timeout': '50ms',
      'http.header-timeout': '300ms',
    });
    await raw(bytes);
    for (const { body, url: path, method } of node.seen) {
      expect(body).not.toContain('dial_seeds');
      expect(path).not.toContain('dial_seeds');
      // What was let through is a whole request that was judged.
      if (method === 'POST') expect(JSON.parse(body)).toMatchObject({ method: 'status' });
    }
    expect((await fetch(`${url}/status`)).status).toBe(200);
  });

  it(`by any of these, changed at random ${RUNS} times, brings none either`, async () => {
    const { raw, node, url } = await open({
      'http.keep-alive-timeout': '20ms',
      'http.header-timeout': '100ms',
      'http.body-idle-timeout': '100ms',
      'limit.rate': '1000000',
      'limit.burst': '1000000',
    });
    const piece = fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\r\n\r\n',
      ' ',
      '\t',
      '\0',
      ':',
      '0',
      '4',
      ';',
      ',',
      'Content-Length: 0\r\n',
    );
    const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(3), piece });
    const attack = fc.tuple(
      fc.constantFrom(...Object.values(SMUGGLED)),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(attack, async ([begun, edits]) => {
        const bytes = edits.reduce((text, { at, cut, piece: put }) => {
          const from = Math.floor(at * text.length);
          return text.slice(0, from) + put + text.slice(from + cut);
        }, begun);
        await raw(bytes);
        for (const { body, url: path } of node.seen.splice(0)) {
          expect(path).not.toContain('dial_seeds');
          if (body !== '') expect(JSON.parse(body).method).not.toBe('dial_seeds');
        }
      }),
      { numRuns: RUNS },
    );
    expect((await fetch(`${url}/status`)).status).toBe(200);
  });

  it('of headers to the node is impossible: names and values arrive as one reader read them', async () => {
    const { raw, node } = await open();
    await raw(
      'GET /status HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: b\r\nX-A: c\r\nHost: evil\r\n\r\n',
    );
    expect(node.seen.map(({ headers }) => [headers['x-a'], headers.host])).toEqual([['b, c', 'a']]);
  });
});

describe('a slow or endless request', () => {
  it('is ended while its headers do not come', async () => {
    const { raw } = await open({ 'http.header-timeout': '200ms' });
    expect(await raw('GET /status HTTP/1.1\r\nHost: a\r\nX-')).toMatch(/^HTTP\/1.1 408/);
  });

  it('is ended while its body does not come', async () => {
    const { raw } = await open({ 'http.body-idle-timeout': '200ms', 'http.request-timeout': '10m' });
    expect(await raw(`${head('Content-Length: 100')}{`)).toMatch(/^HTTP\/1.1 408/);
  });

  it('is ended when its body comes drop by drop', async () => {
    const { connect, node } = await open({ 'http.request-timeout': '500ms', 'http.header-timeout': '400ms' });
    const socket = connect();
    socket.write(head('Content-Length: 1000'));
    const drops = setInterval(() => socket.write(' '), 20);
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    clearInterval(drops);
    expect(String(data)).toMatch(/^(HTTP\/1.1 408|false)/);
    expect(node.seen).toEqual([]);
  });

  it('is refused for the size of its headers, URL and body, declared or not', async () => {
    const { raw, node } = await open({
      'http.max-header-bytes': '2048',
      'http.max-url-bytes': '100',
      'http.max-body-bytes': '1024',
    });
    expect(await raw(`GET /status HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(5000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    );
    const many = Array.from({ length: 500 }, (_, i) => `X-${i}: y`).join('\r\n');
    expect(await raw(`GET /status HTTP/1.1\r\nHost: a\r\n${many}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431/);
    expect(
      await raw(`GET /status?${'x'.repeat(200)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 414/);
    expect(await raw(`${head('Content-Length: 100000000')}`)).toMatch(/^HTTP\/1.1 413/);
    expect(await raw(`${head('Transfer-Encoding: chunked')}${chunk('x'.repeat(2000))}`)).toMatch(
      /^HTTP\/1.1 413/,
    );
    expect(node.seen).toEqual([]);
  });

  it('holds no more than its share of memory: bodies beyond the budget are refused', async () => {
    const { connect, raw } = await open({
      'http.max-body-bytes': '1000000',
      'http.max-concurrent-body-bytes': '1000000',
    });
    const holder = connect();
    holder.write(`${head('Content-Length: 900000')}{`);
    await expect
      .poll(() => raw(`${head('Content-Length: 200000', 'Connection: close')}{`))
      .toMatch(/^HTTP\/1.1 429[\s\S]*retry-after: 1/i);
  });

  it('does not hold a place when it is half open: silent connections are ended', async () => {
    const { connect, proxy } = await open({ 'http.header-timeout': '200ms', 'http.idle-timeout': '300ms' });
    const ended = Array.from({ length: 50 }, () => once(connect().resume(), 'close'));
    await Promise.all(ended);
    await expect.poll(() => proxy.connections).toBe(0);
  });

  it('does not bring the limiter down when it stops in the middle, in any way', async () => {
    const { connect, url, proxy } = await open();
    for (const bytes of [
      'G',
      'GET /held HTTP/1.1\r\nHost: a\r\n\r\n',
      `${head('Content-Length: 10')}{`,
      '\0\0\0\0',
    ]) {
      const socket = connect();
      await new Promise((sent) => socket.write(bytes, sent));
      socket.resetAndDestroy();
    }
    await expect.poll(() => proxy.underWay).toBe(0);
    expect((await fetch(`${url}/status`)).status).toBe(200);
  });
});

describe('a flood', () => {
  it('of pipelined requests is counted one by one', async () => {
    const { connect, node } = await open({ 'limit.rate': '10', 'limit.burst': '20' });
    const socket = connect();
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write('GET /block HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
    await expect.poll(() => text.match(/HTTP\/1.1 \d+/g)?.length).toBe(500);
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(20);
    expect(node.seen).toHaveLength(20);
  });

  it('by one client takes nothing from another', async () => {
    const { url, connect } = await open({
      'limit.rate': '10',
      'limit.burst': '20',
      'clients.trusted-proxies': '127.0.0.1',
    });
    const flood = connect();
    flood.on('data', () => undefined);
    const request = 'GET /block HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n';
    flood.write(request.repeat(2000));
    for (let i = 0; i < 20; i++) {
      const answer = await fetch(`${url}/block`, { headers: { 'x-forwarded-for': '1.2.3.4' } });
      expect(answer.status).toBe(200);
    }
  });

  it('of made-up addresses fills no more than the table', async () => {
    const { url, metrics } = await open({
      'limit.max-clients': '10',
      'clients.trusted-proxies': '127.0.0.1',
    });
    for (let i = 0; i < 50; i++) {
      await (await fetch(`${url}/block`, { headers: { 'x-forwarded-for': `1.2.3.${i}` } })).text();
    }
    expect(await metrics()).toMatch(/chain_limiter_evictions_total\{state="active"\} 40/);
  });
});

describe('calls that are nested too deep', () => {
  const deep = `[{"jsonrpc":"2.0","id":1,"method":"status"},{"jsonrpc":"2.0","id":2,"method":"dial_seeds","params":${'['.repeat(4000)}${']'.repeat(4000)}}]`;

  it('are no JSON, by HTTP and by WebSocket, and the limiter goes on', async () => {
    const { url, node } = await open({ 'methods.deny': 'dial_seeds' });
    const post = (body: string) => fetch(url, { method: 'POST', body });
    expect(await (await post(deep)).json()).toMatchObject({ error: { code: -32_700 } });
    const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`);
    await once(socket, 'open');
    socket.send(deep);
    expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({
      error: { code: -32_700 },
    });
    socket.terminate();
    expect((await post(GOOD)).status).toBe(200);
    expect([...node.seen.map(({ body }) => body), ...node.messages]).toEqual([GOOD]);
  });
});
