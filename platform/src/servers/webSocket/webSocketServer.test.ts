import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { silentLogger } from '../../logger.ts';
import type { HttpServer } from '../httpServer.ts';
import type { WebSocketLimits } from './webSocketLimits.ts';
import type { WebSocketPeer, WebSocketSession } from './webSocketPeer.ts';
import { openWebSocketServer } from './webSocketServer.ts';

interface Ended {
  readonly code: number;
  readonly reason: string;
}

let server: HttpServer | undefined;
const clients: WebSocket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await server?.close();
  server = undefined;
});

/** A server that says every message back; what it saw of its peers. */
async function open(
  options: {
    limits?: Partial<WebSocketLimits>;
    origins?: readonly string[];
    message?: (body: Buffer, peer: WebSocketPeer) => void | Promise<void>;
  } = {},
) {
  const peers: WebSocketPeer[] = [];
  const ended: Ended[] = [];
  const connected = (peer: WebSocketPeer): WebSocketSession => {
    peers.push(peer);
    return {
      message: (body) => (options.message ?? ((data, to) => to.send(data.toString())))(body, peer),
      isIdle: () => true,
      closed: (code, reason) => void ended.push({ code, reason }),
    };
  };
  const { limits = {}, origins = ['*'] } = options;
  server = await openWebSocketServer(
    { address: '127.0.0.1', port: 0, origins, limits, connected },
    { logger: silentLogger },
  );
  return { url: `ws://127.0.0.1:${server.port}`, peers, ended };
}

async function connect(
  url: string,
  options: { origin?: string; autoPong?: boolean } = {},
): Promise<WebSocket> {
  const client = new WebSocket(url, options);
  clients.push(client);
  await once(client, 'open');
  return client;
}

async function answerTo(client: WebSocket, text: string): Promise<string> {
  const answer = once(client, 'message');
  client.send(text);
  return String((await answer)[0]);
}

async function refusal(url: string, origin?: string): Promise<number | undefined> {
  const client = new WebSocket(url, origin === undefined ? {} : { origin });
  clients.push(client);
  client.on('error', () => {});
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, { statusCode?: number }];
  return response.statusCode;
}

describe('the WebSocket server', () => {
  it('sends the parts of a message as one', async () => {
    const { url } = await open({
      message: (body, peer) => peer.send(['{"é":', Buffer.from('"ü"'), `,"said":${body}}`]),
    });
    const client = await connect(url);
    expect(await answerTo(client, '1')).toBe('{"é":"ü","said":1}');
    expect(await answerTo(client, '2')).toBe('{"é":"ü","said":2}');
  });

  it('carries messages on path / and answers 404 elsewhere, also to plain HTTP', async () => {
    const { url } = await open();
    expect(await answerTo(await connect(url), 'hello')).toBe('hello');
    expect(await answerTo(await connect(`${url}/?key=1`), 'hello')).toBe('hello');
    expect(await refusal(`${url}/other`)).toBe(404);
    expect((await fetch(url.replace('ws:', 'http:'), { method: 'POST', body: '1' })).status).toBe(404);
  });

  it('lets pages of listed origins in, and whoever is no page', async () => {
    const { url } = await open({ origins: ['https://a.example'] });
    expect(await refusal(url, 'https://b.example')).toBe(403);
    expect(await answerTo(await connect(url, { origin: 'https://a.example' }), '1')).toBe('1');
    expect(await answerTo(await connect(url), '1')).toBe('1');
  });

  it('closes a connection that sends too large a message', async () => {
    const { url, ended } = await open({ limits: { maxMessageBytes: 100 } });
    const client = await connect(url);
    const closed = once(client, 'close');
    client.send('x'.repeat(101));
    expect((await closed)[0]).toBe(1009);
    await expect.poll(() => ended).toHaveLength(1);
  });

  it('drops a consumer that does not read, with the reason, and keeps no more than the limit for it', async () => {
    const limits = { maxBufferedPushBytes: 100_000, closeGraceMs: 50 };
    const { url, peers, ended } = await open({ limits });
    const client = await connect(url);
    client.pause();
    const text = 'x'.repeat(10_000);
    let most = 0;
    await expect
      .poll(() => {
        for (let i = 0; i < 100; i++) peers[0]!.push(text);
        most = Math.max(most, peers[0]!.bufferedBytes);
        return ended.length;
      })
      .toBe(1);
    expect(most).toBeLessThan(120_000);
    expect(ended[0]).toEqual({ code: 1013, reason: expect.stringMatching(/^slow consumer: \d+ bytes/) });
  });

  it('tells a slow consumer that reads again why it is dropped', async () => {
    const { url, peers } = await open({ limits: { maxBufferedPushBytes: 10_000, closeGraceMs: 30_000 } });
    const client = await connect(url);
    const closed = once(client, 'close');
    peers[0]!.push('x'.repeat(20_000));
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1013, expect.stringContaining('slow consumer')]);
  });

  it('does not read from a peer that leaves its answers unread, and loses no request', async () => {
    let taken = 0;
    const answer = 'y'.repeat(50_000);
    const message = (_body: Buffer, peer: WebSocketPeer) => {
      taken++;
      peer.send(answer);
    };
    const { url, peers } = await open({ limits: { maxBufferedAnswerBytes: 200_000 }, message });
    const client = await connect(url);
    client.pause();
    for (let i = 0; i < 1000; i++) client.send(`request ${i} ${'.'.repeat(1000)}`);
    await expect.poll(() => peers[0]!.bufferedBytes).toBeGreaterThan(200_000);
    expect(taken).toBeLessThan(1000);
    let answers = 0;
    client.on('message', () => answers++);
    client.resume();
    await expect.poll(() => answers).toBe(1000);
  });

  it('works on a bounded number of messages of one peer at once', async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const message = async (_body: Buffer, peer: WebSocketPeer) => {
      most = Math.max(most, ++running);
      await new Promise<void>((done) => waiting.push(done));
      running--;
      peer.send('done');
    };
    const { url } = await open({ limits: { maxConcurrentMessages: 3 }, message });
    const client = await connect(url);
    let done = 0;
    client.on('message', () => done++);
    for (let i = 0; i < 20; i++) client.send(String(i));
    await expect
      .poll(
        () => {
          if (waiting.length >= 3 || done >= 17) waiting.shift()?.();
          return done;
        },
        { interval: 5 },
      )
      .toBe(20);
    expect(most).toBe(3);
  });

  it('closes a session that fails, and goes on', async () => {
    const { url, ended } = await open({ message: () => Promise.reject(new Error('broken')) });
    const client = await connect(url);
    client.send('1');
    expect((await once(client, 'close'))[0]).toBe(1011);
    await expect.poll(() => ended).toHaveLength(1);
    await connect(url);
  });

  it('pings the silent, and cuts those that do not answer', async () => {
    const { url, ended } = await open({ limits: { pingIntervalMs: 40, pongTimeoutMs: 1500 } });
    const living = await connect(url);
    await once(living, 'ping');
    await connect(url, { autoPong: false });
    await expect.poll(() => ended).toHaveLength(1);
    expect(ended[0]?.reason).toMatch(/^no answer to a ping/);
    expect(await answerTo(living, 'still here')).toBe('still here');
  });

  it('closes what is idle, not what is used', async () => {
    const { url, ended } = await open({ limits: { idleTimeoutMs: 1500, pingIntervalMs: 40 } });
    const [used, idle] = [await connect(url), await connect(url)];
    const closed = once(idle, 'close');
    const use = setInterval(() => used.send('1'), 20);
    const [code, reason] = await closed;
    clearInterval(use);
    expect([code, String(reason)]).toEqual([1001, 'idle for 1500 ms']);
    await expect.poll(() => ended).toHaveLength(1);
  });

  it('tells its peers when it stops', async () => {
    const { url } = await open();
    const closed = once(await connect(url), 'close');
    await server!.close();
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1001, 'the node stops']);
  });
});
