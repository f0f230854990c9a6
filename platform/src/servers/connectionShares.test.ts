import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import { TEST_CERTIFICATES } from './access/testCertificates.fixture.ts';
import type { HttpReply } from './httpExchange.ts';
import { openHttpServer } from './httpServer.ts';
import { openWebSocketServer } from './index.ts';

const [CROWD, OTHER, THIRD] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const MAX = 4;
const UPGRADE =
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
/** Whole, and over node:http. */
const LANE = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n';
const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n';
const END = '\r\n0\r\n\r\n';

let opened = new Lifecycle();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await opened.close();
  opened = new Lifecycle();
});

class Peer {
  readonly socket: Socket;
  said = '';
  isClosed = false;

  constructor(port: number, localAddress: string, isSecure = false) {
    const to = { port, host: '127.0.0.1', localAddress };
    this.socket = isSecure ? connectSecurely({ ...to, rejectUnauthorized: false } as object) : connect(to);
    sockets.push(this.socket);
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk: Buffer) => {
      this.said += chunk.toString('latin1');
    });
    this.socket.once('close', () => {
      this.isClosed = true;
    });
  }

  /** What is answered, or `refused` for a connection that is closed without an answer. */
  async ask(text: string): Promise<string> {
    this.said = '';
    this.socket.write(text);
    await expect.poll(() => this.said !== '' || this.isClosed).toBe(true);
    return this.said === '' ? 'refused' : this.said.slice(-1);
  }
}

const numberOf = (peers: readonly Peer[]): number => peers.filter(({ isClosed }) => !isClosed).length;

/** Answers `y` for `x`, and anything else once `finish` is called. */
async function open(isSecure = false) {
  const waiting: ((reply: HttpReply) => void)[] = [];
  const post = ({ body }: { readonly body: Buffer }): HttpReply | Promise<HttpReply> =>
    `${body}` === 'x' ? { body: 'y' } : new Promise((answer) => void waiting.push(answer));
  const { cert, key } = TEST_CERTIFICATES.first;
  const tls = { current: { cert: Buffer.from(cert), key: Buffer.from(key) }, onChange: () => undefined };
  const options = { address: '127.0.0.1', port: 0, post, limits: { maxConnections: MAX } };
  const { port } = opened.own(
    await openHttpServer({ ...options, ...(isSecure && { access: { tls } }) }, { logger: silentLogger }),
  );
  const finish = (): void => {
    for (const answer of waiting.splice(0)) answer({ body: 'z' });
  };
  /** Connected, and counted in this order. */
  const crowd = async (count: number, from = CROWD): Promise<Peer[]> => {
    const peers: Peer[] = [];
    while (peers.length < count) {
      const peer = new Peer(port, from, isSecure);
      expect(await peer.ask(`${LANE}x`)).toBe('y');
      peers.push(peer);
    }
    return peers;
  };
  return { port, waiting, finish, crowd };
}

describe('connections of a full listener', () => {
  it('make room for a newcomer: the oldest idle one of the client that holds most', async () => {
    const { port, crowd } = await open();
    const other = await crowd(1, OTHER);
    const peers = await crowd(3);
    expect(await new Peer(port, THIRD).ask(`${LANE}x`)).toBe('y');
    await expect.poll(() => peers[0]!.isClosed).toBe(true);
    expect(numberOf([...other, ...peers])).toBe(3);
    for (const peer of [...other, ...peers.slice(1)]) expect(await peer.ask(`${LANE}x`)).toBe('y');
  });

  it('stay where a newcomer would hold as many, as behind one proxy', async () => {
    const { port, crowd } = await open();
    const peers = [...(await crowd(2)), ...(await crowd(2, OTHER))];
    expect(await new Peer(port, CROWD).ask(`${LANE}x`)).toBe('refused');
    expect(await new Peer(port, OTHER).ask(`${LANE}x`)).toBe('refused');
    expect(numberOf(peers)).toBe(MAX);
    peers[0]!.socket.destroy();
    await expect.poll(() => new Peer(port, THIRD).ask(`${LANE}x`)).toBe('y');
  });

  it.each([
    { way: 'past node:http', ask: `${LANE}w` },
    { way: 'over node:http', ask: `${CHUNKED}w${END}` },
    { way: 'through TLS', ask: `${LANE}w`, isSecure: true },
    { way: 'through TLS, over node:http', ask: `${CHUNKED}w${END}`, isSecure: true },
  ])('are not cut while they are answering $way', async ({ ask, isSecure = false }) => {
    const { port, waiting, finish, crowd } = await open(isSecure);
    const peers = await crowd(MAX);
    const answers = peers.map((peer) => peer.ask(ask));
    await expect.poll(() => waiting.length).toBe(MAX);
    expect(await new Peer(port, OTHER, isSecure).ask(`${LANE}x`)).toBe('refused');
    finish();
    expect((await Promise.all(answers)).every((answer) => answer !== 'refused')).toBe(true);
    expect(await new Peer(port, OTHER, isSecure).ask(`${LANE}x`)).toBe('y');
    await expect.poll(() => numberOf(peers)).toBe(MAX - 1);
  });

  it('answer nothing while their requests are not whole', async () => {
    const { port, crowd } = await open();
    const peers = await crowd(MAX);
    for (const { socket } of peers) socket.write(`${CHUNKED}w`);
    expect(await new Peer(port, OTHER).ask(`${LANE}x`)).toBe('y');
    await expect.poll(() => numberOf(peers)).toBe(MAX - 1);
  });

  it('of WebSocket give way when no message of theirs is worked on', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    let begun = 0;
    const message = (): Promise<void> => {
      begun++;
      return work;
    };
    const options = { address: '127.0.0.1', port: 0, origins: [], limits: { maxConnections: 2 } };
    const connected = () => ({ message, isIdle: () => false, closed: () => undefined });
    const server = await openWebSocketServer({ ...options, connected }, { logger: silentLogger });
    const { port } = opened.own(server);
    const join = async (from: string): Promise<Peer> => {
      const peer = new Peer(port, from);
      peer.socket.write(UPGRADE);
      await Promise.race([once(peer.socket, 'data'), once(peer.socket, 'close')]);
      return peer;
    };
    const [working, idle] = [await join(CROWD), await join(CROWD)];
    working.socket.write(Buffer.of(0x81, 0x80, 0, 0, 0, 0));
    await expect.poll(() => begun).toBe(1);
    const newcomer = await join(OTHER);
    expect(newcomer.said).toContain('101 Switching');
    await expect.poll(() => idle.isClosed).toBe(true);
    expect([working.isClosed, newcomer.isClosed]).toEqual([false, false]);
    finish();
  });
});
