import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../node/src/config/index.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';

const EVIL = 'https://evil.example';
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status' });

let home: string;
let node: DevNode;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'doors-'));
  node = await startDevNode({ home: join(home, 'node') });
});
afterAll(async () => {
  await node.stop();
  rmSync(home, { recursive: true, force: true });
});

/** The status of a request; `headers` as a page makes its browser send them. */
function status(url: string, headers: Record<string, string>, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sent.on('error', reject).end(body);
  });
}

/** The status of a handshake: 101 when it is taken. */
function handshake(url: string, headers: Record<string, string>): Promise<number> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url.replace(/^ws:/, 'http:'), { headers: { ...upgrade, ...headers } });
    sent.on('response', ({ statusCode }) => resolve(statusCode!)).on('error', reject);
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode!);
    });
    sent.end();
  });
}

describe('a page of a stranger', () => {
  it('reads nothing through a name of its own that leads here', async () => {
    const host = 'rebound.example';
    const json = { 'content-type': 'application/json' };
    expect(await status(node.url, { ...json, host }, CALL)).toBe(403);
    expect(await status(`${node.consensusUrl}/status`, { host })).toBe(403);
    expect(await status(`${node.restUrl}/cosmos/base/tendermint/v1beta1/syncing`, { host })).toBe(403);
    expect(await handshake(node.wsUrl, { host, origin: `http://${host}` })).toBe(403);
    expect(await handshake(`${node.consensusUrl}/websocket`, { host, origin: `http://${host}` })).toBe(403);
    expect(await status(`${node.consensusUrl}/status`, { host: 'localhost:26657' })).toBe(200);
  });

  it('opens no WebSocket of the consensus RPC, and sends no call as text', async () => {
    const own = node.consensusUrl;
    expect(await handshake(`${own}/websocket`, { origin: EVIL })).toBe(403);
    expect(await handshake(`${own}/websocket`, { origin: own })).toBe(101);
    expect(await handshake(`${own}/websocket`, {})).toBe(101);
    expect(await status(own, { origin: EVIL, 'content-type': 'text/plain' }, CALL)).toBe(415);
    expect(await status(own, { origin: own, 'content-type': 'text/plain' }, CALL)).toBe(200);
    expect(await status(own, { 'content-type': 'text/plain' }, CALL)).toBe(200);
    expect(await status(node.url, { origin: EVIL, 'content-type': 'text/plain' }, CALL)).toBe(415);
  });
});

it('a home that is made for development lets pages read JSON-RPC and REST; the defaults let none', async () => {
  const { app } = await loadConfig({ home: join(home, 'node') });
  expect([app.evm.cors_origins, app.evm.ws_origins, app.api['cors-origins']]).toEqual(['*', '*', '*']);
  const plain = await loadConfig({
    home: join(home, 'node'),
    flags: { 'evm.cors_origins': '', 'evm.vhosts': 'localhost,rpc.example.com' },
  });
  expect(plain.app.evm.vhosts).toEqual(['localhost', 'rpc.example.com']);
});
