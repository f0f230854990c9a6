import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { askHttp } from './askHttp.ts';

const SECRET = 'hunter2-S3cret';
const LIMITS = { timeoutMs: 10_000, maxBytes: 1024 };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failure = async (url: string, limits = LIMITS) =>
  (await askHttp(url, limits).catch((error: unknown) => error)) as { code: string; message: string };

describe('askHttp', () => {
  it('gives status, headers and body', async () => {
    const url = await served((request, response) => {
      response.writeHead(201, { 'x-method': request.method }).end('é');
    });
    expect(await askHttp(url, { ...LIMITS, method: 'POST', body: 'é' })).toMatchObject({
      status: 201,
      body: 'é',
      headers: { 'x-method': 'POST' },
    });
  });

  it('stops reading an answer without end at its limit', async () => {
    let sent = 0;
    const url = await served((_, response) => {
      const chunk = Buffer.alloc(65_536, SECRET);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        response.once('drain', more);
      };
      more();
    });
    expect(await failure(url)).toMatchObject({ code: 'ASK_TOO_LARGE' });
    expect(sent).toBeLessThan(64 << 20);
  });

  it('gives up an answer that trickles in for longer than its time', async () => {
    const url = await served((_, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(await failure(url, { timeoutMs: 200, maxBytes: 1 << 20 })).toMatchObject({
      code: 'ASK_FAILED',
      message: 'nothing within 0.2 s',
    });
  });

  it('follows no redirect, decompresses nothing, and says nothing that the server said', async () => {
    const asked: string[] = [];
    const inside = await served((_, response) => {
      asked.push('inside');
      response.end(SECRET);
    });
    const answers: RequestListener[] = [
      (_, response) => void response.writeHead(302, SECRET, { location: inside }).end(SECRET),
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(SECRET)),
      (_, response) => void response.socket?.end(`${SECRET} HTTP/1.1\r\n\r\n`),
      (_, response) => void response.writeHead(200, { 'x-long': SECRET.repeat(4096) }).end(),
    ];
    for (const answer of answers) {
      const { code, message } = await failure(await served(answer));
      expect(code).toBe('ASK_FAILED');
      expect(message).not.toContain('hunter2');
    }
    expect(asked).toEqual([]);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0:1/',
    'http://2852039166/',
    'http://[fd00:ec2::254]/',
  ])('does not ask %s', async (url) => {
    expect(await failure(url)).toMatchObject({ code: 'ASK_FORBIDDEN' });
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/'])('does not ask %s', async (url) => {
    expect(await failure(url)).toMatchObject({ code: 'ASK_FAILED' });
  });
});
