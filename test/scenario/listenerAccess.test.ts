import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { FetchRequest, JsonRpcProvider } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CERTIFICATES } from '../../platform/src/servers/access/testCertificates.fixture.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';

const { first } = TEST_CERTIFICATES;
const KEY = 'an-api-key-of-some-length';
const SECRET = 'ab'.repeat(32);
const BEARER = `Bearer ${KEY}`;

let home: string;
let node: DevNode;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'listener-access-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const files = {
    'tls-cert-file': file('tls.crt', first.cert),
    'tls-key-file': file('tls.key', first.key),
    'api-keys-file': file('keys', KEY),
    'jwt-secret-file': file('jwt.hex', SECRET),
  };
  const settings = Object.entries(files).flatMap(([key, path]) => [
    `evm.${key.replaceAll('-', '_')}=${path}`,
    ...['grpc', 'api', 'admin', 'consensus-rpc'].map((section) => `${section}.${key}=${path}`),
  ]);
  node = await startDevNode({
    home: join(home, 'node'),
    args: settings.flatMap((setting) => ['--set', setting]),
  });
});
afterAll(async () => {
  await node.stop();
  rmSync(home, { recursive: true, force: true });
});

async function get(url: string, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization };
  const [answer] = (await once(request(url, { ca: first.cert, headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  return answer.statusCode!;
}

/** The status of a WebSocket's handshake. */
function handshake(authorization?: string): Promise<number> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    ...(authorization !== undefined && { authorization }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(node.wsUrl.replace(/^wss:/, 'https:'), { ca: first.cert, headers });
    sent.on('response', ({ statusCode }) => resolve(statusCode!)).on('error', reject);
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode!);
    });
    sent.end();
  });
}

function jwt(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256' })}.${part({ iat: Math.floor(Date.now() / 1000) })}`;
  return `${signed}.${createHmac('sha256', Buffer.from(SECRET, 'hex')).update(signed).digest('base64url')}`;
}

/** ethers, which trusts the certificate of the node. */
function provider(authorization: string): JsonRpcProvider {
  const connection = new FetchRequest(node.url);
  connection.getUrlFunc = FetchRequest.createGetUrlFunc({ agent: new Agent({ ca: first.cert }) });
  connection.setHeader('authorization', authorization);
  return new JsonRpcProvider(connection, 713_714, { staticNetwork: true, batchMaxCount: 1 });
}

describe('a node whose listeners have certificates and tokens', () => {
  it('says so in its addresses', () => {
    for (const url of [node.url, node.consensusUrl, node.restUrl, node.adminUrl]) {
      expect(url).toMatch(/^https:/);
    }
    expect(node.wsUrl).toMatch(/^wss:/);
    expect(node.output()).not.toContain(KEY);
    expect(node.output()).not.toContain(SECRET);
  });

  it('answers JSON-RPC by key and by JWT, over HTTP and WebSocket, and nobody else', async () => {
    for (const token of [KEY, jwt()]) {
      const client = provider(`Bearer ${token}`);
      expect(BigInt(await client.send('eth_chainId', []))).toBe(713714n);
      client.destroy();
    }
    const stranger = provider('Bearer a-key-of-nobody-at-all');
    await expect(stranger.send('eth_chainId', [])).rejects.toThrow(/401/);
    stranger.destroy();
    expect(await handshake(BEARER)).toBe(101);
    expect(await handshake()).toBe(401);
  });

  it('answers REST, the consensus RPC and metrics to who has a token, and probes to everybody', async () => {
    const guarded = [
      `${node.restUrl}/cosmos/base/tendermint/v1beta1/syncing`,
      `${node.consensusUrl}/status`,
      `${node.adminUrl}/metrics`,
    ];
    for (const url of guarded) expect([await get(url), await get(url, BEARER)], url).toEqual([401, 200]);
    expect(await get(`${node.adminUrl}/livez`)).toBe(200);
    expect(await get(`${node.adminUrl}/readyz`)).toBe(200);
  });

  it('answers gRPC to who has a token, and health checks to everybody', async () => {
    const client = new Client(node.grpcAddress, credentials.createSsl(Buffer.from(first.cert)));
    const bytes = (it: Buffer) => it;
    const call = (path: string, authorization?: string): Promise<number> => {
      const metadata = new Metadata();
      if (authorization !== undefined) metadata.set('authorization', authorization);
      return new Promise((resolve) => {
        const done = (error: ServiceError | null) => resolve(error?.code ?? status.OK);
        client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), metadata, done);
      });
    };
    const method = '/cosmos.base.tendermint.v1beta1.Service/GetSyncing';
    expect(await call(method, BEARER)).toBe(status.OK);
    expect(await call(method)).toBe(status.UNAUTHENTICATED);
    expect(await call(method, 'Bearer a-key-of-nobody-at-all')).toBe(status.UNAUTHENTICATED);
    expect(await call('/grpc.health.v1.Health/Check')).toBe(status.OK);
    client.close();
    const plain = new Client(node.grpcAddress, credentials.createInsecure());
    const failed = await new Promise<number>((resolve) => {
      const options = { deadline: Date.now() + 2000 };
      const done = (error: ServiceError | null) => resolve(error?.code ?? status.OK);
      plain.makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), new Metadata(), options, done);
    });
    expect([status.UNAVAILABLE, status.DEADLINE_EXCEEDED]).toContain(failed);
    plain.close();
  });
});
