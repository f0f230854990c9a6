import { describe, expect, it } from 'vitest';
import { RequestHeads } from './requestHead.ts';

const heads = () => new RequestHeads({ maxBytes: 300 });
const read = (text: string, start = 0) => heads().read(Buffer.from(text, 'latin1'), start);
const plain = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n';

describe('the head of a plain request', () => {
  it('gives its headers, its size and that of its body', () => {
    const text =
      'POST / HTTP/1.1\r\nHOST:a:1 \r\nX-Odd!:  b c \t\r\nconnection: Keep-Alive\r\nContent-Length:12\r\n\r\n{}';
    const head = read(`xx${text}`, 2)!;
    expect({ ...head.headers }).toEqual({
      host: 'a:1',
      'x-odd!': 'b c',
      connection: 'Keep-Alive',
      'content-length': '12',
    });
    expect([head.size, head.bodySize]).toEqual([text.length - 2, 12]);
    expect([head.method, head.url]).toEqual(['POST', '/']);
  });

  it('may be a GET of any path, without a body', () => {
    const head = read('GET /a/b?c=%20&d HTTP/1.1\r\nHost: a\r\n\r\n')!;
    expect([head.method, head.url, head.bodySize]).toEqual(['GET', '/a/b?c=%20&d', 0]);
  });

  it('is understood once for all that are the same', () => {
    const known = heads();
    expect(known.read(Buffer.from(plain), 0)).toBe(known.read(Buffer.from(plain), 0));
    for (let i = 0; i < 3000; i++) {
      const other = plain.replace('Host: a', `Host: ${i}`);
      expect(known.read(Buffer.from(other), 0)?.headers.host).toBe(String(i));
    }
  });

  it('has headers that nobody can change, for others have the same', () => {
    const { headers } = read(plain)!;
    expect(() => Object.assign(headers, { host: 'b' })).toThrow(TypeError);
    expect(read(plain)?.headers.host).toBe('a');
  });

  const changed = (from: string, to: string) => plain.replace(from, to);
  it.each([
    ['is not whole', plain.slice(0, -1)],
    ['asks for another path', changed('POST /', 'POST /x')],
    ['has a query', changed('POST /', 'POST /?a')],
    ['has another method', changed('POST', 'PUT')],
    ['gets with a body', changed('POST', 'GET')],
    ['gets no path', 'GET a HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['gets a path with a blank', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['gets a path above ASCII', 'GET /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['is of another version', changed('1.1', '1.0')],
    ['has no host', changed('Host: a\r\n', '')],
    ['has no length', changed('Content-Length: 3\r\n', '')],
    ['has two lengths', changed('Host: a', 'Content-Length: 4\r\nHost: a')],
    ['has a length with a sign', changed(': 3', ': +3')],
    ['has a length in hex', changed(': 3', ': 0x3')],
    ['has two lengths in one', changed(': 3', ': 3, 3')],
    ['has two hosts', changed('Host: a', 'Host: a\r\nHost: b')],
    ['is chunked', changed('Host: a', 'Transfer-Encoding: chunked\r\nHost: a')],
    ['expects to be let on', changed('Host: a', 'Expect: 100-continue\r\nHost: a')],
    ['wants to upgrade', changed('Host: a', 'Upgrade: websocket\r\nHost: a')],
    ['wants the connection closed', changed('Host: a', 'Connection: close\r\nHost: a')],
    ['names headers of the connection', changed('Host: a', 'Connection: keep-alive, x\r\nHost: a')],
    ['has a folded line', changed('Host: a', 'Host: a\r\n b')],
    ['has a blank before the colon', changed('Host: a', 'Host : a')],
    ['has a line without a colon', changed('Host: a', 'Host: a\r\nhost')],
    ['has an empty name', changed('Host: a', 'Host: a\r\n: x')],
    ['has a bare line feed', changed('Host: a', 'Host: a\nX: b')],
    ['has a bare carriage return', changed('Host: a', 'Host: a\rX: b')],
    ['has a zero byte', changed('Host: a', 'Host: a\0')],
    ['is too long', changed('Host: a', `Host: ${'a'.repeat(300)}`)],
  ])('is left to node:http when it %s', (_what, text) => {
    expect(read(text)).toBeUndefined();
  });
});
