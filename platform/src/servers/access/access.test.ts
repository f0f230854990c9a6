import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Lifecycle } from '../../lifecycle.ts';
import { createLogger, silentLogger } from '../../logger.ts';
import { openHttpServer } from '../httpServer.ts';
import { openWebSocketServer } from '../webSocket/webSocketServer.ts';
import { type AccessOptions, openAccess } from './openAccess.ts';
import { TEST_CERTIFICATES } from './testCertificates.fixture.ts';

const { first, second } = TEST_CERTIFICATES;
const KEY = 'an-api-key-of-some-length';
const SECRET = 'ab'.repeat(32);
const NOW_S = 1_800_000_000;
const clock = { now: () => NOW_S * 1000 };

let directory: string;
let opened: Lifecycle;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'access-'));
  opened = new Lifecycle();
});
afterEach(async () => {
  await opened.close();
  rmSync(directory, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const pair = ({ cert, key }: { readonly cert: string; readonly key: string }): AccessOptions => ({
  certificateFile: file('tls.crt', cert),
  keyFile: file('tls.key', key),
  checkIntervalMs: 5,
});

async function access(options: AccessOptions, logger = silentLogger) {
  return opened.own(await openAccess(options, { logger, clock }));
}

async function serve(options: AccessOptions): Promise<number> {
  const handler = () => ({ body: '"served"' });
  const server = await openHttpServer(
    {
      address: '127.0.0.1',
      port: 0,
      post: handler,
      access: await access(options),
      routes: [{ method: 'GET', path: '/page', handler }],
      openPaths: ['/page'],
      limits: { headersTimeoutMs: 500, closeGraceMs: 100 },
    },
    { logger: silentLogger },
  );
  return opened.own(server).port;
}

interface Answered {
  readonly status: number | undefined;
  readonly body: string;
  readonly subject: string;
}

interface Asked {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
}

/** By TLS that trusts these certificates, over a connection of its own. */
async function ask(
  port: number,
  { path = '/', headers = {}, agent = new Agent({ maxCachedSessions: 0 }) }: Asked,
): Promise<Answered> {
  const method = path === '/' ? 'POST' : 'GET';
  const ca = [first.cert, second.cert];
  const sent: ClientRequest = request({ port, host: 'localhost', path, method, headers, ca, agent });
  const body = method === 'POST' ? 'x' : undefined;
  if (body) sent.setHeader('content-length', 1);
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const subject = String((answer.socket as TLSSocket).getPeerCertificate().subject.CN);
  const pieces = await answer.toArray();
  return { status: answer.statusCode, body: Buffer.concat(pieces).toString(), subject };
}

function jwt(
  claims: object,
  { secret = SECRET, header = { alg: 'HS256', typ: 'JWT' } as object } = {},
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`;
}

describe('a listener with a certificate', () => {
  it('serves the lane, the framework and several requests of one connection by TLS, and nothing in plain text', async () => {
    const port = await serve(pair(first));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const path of ['/', '/', '/page', '/']) {
      expect(await ask(port, { path, agent })).toEqual({ status: 200, body: '"served"', subject: 'first' });
    }
    agent.destroy();
    const plain = plainRequest({ port, path: '/page' }).end();
    const outcome = await Promise.race([once(plain, 'error'), once(plain, 'response')]);
    expect(outcome[0]).toBeInstanceOf(Error);
  });

  it('takes a renewed one without a restart, as a mounted Secret changes, and keeps its own while the new one is not whole', async () => {
    const mount = (name: string, { cert, key }: { readonly cert: string; readonly key: string }) => {
      mkdirSync(join(directory, name));
      file(`${name}/tls.crt`, cert);
      file(`${name}/tls.key`, key);
      symlinkSync(name, join(directory, 'next'));
      renameSync(join(directory, 'next'), join(directory, 'data'));
    };
    mount('one', first);
    const port = await serve({
      certificateFile: join(directory, 'data/tls.crt'),
      keyFile: join(directory, 'data/tls.key'),
      checkIntervalMs: 5,
    });
    mount('two', { cert: second.cert, key: first.key });
    expect((await ask(port, {})).subject).toBe('first');
    mount('three', second);
    await expect.poll(async () => (await ask(port, {})).subject).toBe('second');
  });

  it('gives up a peer that never ends its handshake, and ends with it under way', async () => {
    const port = await serve(pair(first));
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'close');
    const another = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(another, 'connect');
    await opened.close();
    opened = new Lifecycle();
    if (!another.closed) await once(another, 'close');
  });

  it('serves WebSocket, with a token where one is asked for', async () => {
    const server = await openWebSocketServer(
      {
        address: '127.0.0.1',
        port: 0,
        origins: [],
        access: await access({ ...pair(first), apiKeysFile: file('keys', KEY) }),
        connected: (peer) => ({
          message: (body) => peer.send(String(body)),
          isIdle: () => true,
          closed: () => undefined,
        }),
      },
      { logger: silentLogger },
    );
    opened.own(server);
    const options = (key: string) => ({ ca: first.cert, headers: { authorization: `Bearer ${key}` } });
    const stranger = new WebSocket(`wss://localhost:${server.port}`, options('another-key-of-some-length'));
    expect(String((await once(stranger, 'error'))[0])).toContain('401');
    const socket = new WebSocket(`wss://localhost:${server.port}`, options(KEY));
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    socket.terminate();
  });
});

describe('a listener with tokens', () => {
  it('takes keys by themselves or by their hash, and withdraws them without a restart', async () => {
    const hash = createHash('sha256').update('another-key-of-some-length').digest('hex');
    const keys = file('keys', `# of Alice\n${KEY}\nsha256:${hash} # of Bob\n`);
    const { admits } = await access({ apiKeysFile: keys, checkIntervalMs: 5 });
    expect(admits!(`Bearer ${KEY}`)).toBe(true);
    expect(admits!('bearer another-key-of-some-length')).toBe(true);
    for (const given of [undefined, '', KEY, `Bearer ${KEY}x`, `Bearer ${hash}`, `Basic ${KEY}`]) {
      expect(admits!(given)).toBe(false);
    }
    writeFileSync(keys, 'another-key-of-some-length');
    await expect.poll(() => admits!(`Bearer ${KEY}`)).toBe(false);
    expect(admits!('Bearer another-key-of-some-length')).toBe(true);
  });

  it('takes a JWT of its secret that was issued within a minute, and no other', async () => {
    const { admits } = await access({ jwtSecretFile: file('jwt.hex', `0x${SECRET}\n`) });
    const takes = (token: string): boolean => admits!(`Bearer ${token}`);
    for (const iat of [NOW_S, NOW_S - 60, NOW_S + 60]) expect(takes(jwt({ iat }))).toBe(true);
    expect(takes(jwt({ iat: NOW_S, exp: NOW_S + 1, nbf: NOW_S }))).toBe(true);
    const bad = [
      {},
      { iat: NOW_S - 61 },
      { iat: NOW_S + 61 },
      { iat: String(NOW_S) },
      { iat: null },
      { iat: NOW_S, exp: NOW_S },
      { iat: NOW_S, exp: 'later' },
      { iat: NOW_S, nbf: NOW_S + 1 },
    ];
    for (const claims of bad) expect(takes(jwt(claims)), JSON.stringify(claims)).toBe(false);
    const claims = { iat: NOW_S };
    expect(takes(jwt(claims, { secret: 'cd'.repeat(32) }))).toBe(false);
    for (const alg of ['none', 'HS512', 'hs256', undefined]) {
      expect(takes(jwt(claims, { header: { alg } }))).toBe(false);
    }
    const [header, body, signature] = jwt(claims).split('.');
    for (const token of [`${header}.${body}.`, `${header}.${body}`, `${header}.${body}.${signature}A`]) {
      expect(takes(token)).toBe(false);
    }
    const deep = Buffer.from('['.repeat(3000)).toString('base64url');
    const mac = createHmac('sha256', Buffer.from(SECRET, 'hex')).update(`${deep}.${deep}`);
    expect(takes(`${deep}.${deep}.${mac.digest('base64url')}`.slice(0, 4096))).toBe(false);
  });

  it('answers the paths that are open without one', async () => {
    const port = await serve({ ...pair(first), apiKeysFile: file('keys', KEY) });
    expect((await ask(port, { path: '/page' })).status).toBe(200);
    expect((await ask(port, { path: '/page?x' })).status).toBe(401);
    expect((await ask(port, {})).status).toBe(401);
    expect((await ask(port, { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(200);
  });
});

describe('files that cannot be used', () => {
  it.each([
    ['no secret', (): AccessOptions => ({ jwtSecretFile: file('f', 'hunter2-hunter2-hunter2') })],
    ['no key', (): AccessOptions => ({ apiKeysFile: file('f', 'hunter2 hunter2-hunter2') })],
    ['no keys at all', (): AccessOptions => ({ apiKeysFile: file('f', '# hunter2\n') })],
    ['a key of another certificate', () => pair({ cert: first.cert, key: second.key })],
    ['no certificate', () => pair({ cert: 'hunter2', key: 'hunter2' })],
    ['a certificate alone', (): AccessOptions => ({ certificateFile: file('f', first.cert) })],
    ['a file that is not there', (): AccessOptions => ({ apiKeysFile: join(directory, 'none') })],
  ])('refuse the start, and nothing of them is told: %s', async (_what, options) => {
    const error = await access(options()).catch((it: unknown) => it);
    expect(error).toMatchObject({ code: expect.stringMatching(/^ACCESS_/) });
    const { message, fields } = error as { message: string; fields: object };
    expect(`${message}${JSON.stringify(fields)}`).not.toContain('hunter2');
  });

  it('leave the earlier ones in force when they come later, and nothing of them is logged', async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'debug', write: (line) => void lines.push(line) });
    const keys = file('keys', KEY);
    const { admits } = await access({ apiKeysFile: keys, checkIntervalMs: 5 }, logger);
    writeFileSync(keys, 'hunter2 hunter2-hunter2');
    await expect.poll(() => lines.join('')).toContain('cannot be used');
    expect(lines.join('')).not.toContain('hunter2');
    expect(admits!(`Bearer ${KEY}`)).toBe(true);
  });
});
