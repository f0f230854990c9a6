import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../settings/index.ts';
import { openLimiter, type RunningLimiter } from './openLimiter.ts';

/** How the node behind answers `/status`. */
const state = { height: 7, time: 0, catchingUp: false, isBroken: false };
let node: Server;
let nodeUrl: string;
let limiter: RunningLimiter | undefined;
let child: ChildProcess | undefined;
let directory: string;
let release: (() => void) | undefined;
/** What the limiter takes for the time. */
let now = 0;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'limiter-app-'));
  now = Date.now();
  Object.assign(state, { height: 7, time: now, catchingUp: false, isBroken: false });
  node = createServer((request, response) => {
    if (request.url === '/held') {
      release = () => response.end('held');
      return;
    }
    const info = {
      latest_block_height: String(state.height),
      latest_block_time: new Date(state.time).toISOString(),
      catching_up: state.catchingUp,
    };
    response.writeHead(state.isBroken ? 500 : 200).end(JSON.stringify({ result: { sync_info: info } }));
  });
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening));
  nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});
afterEach(async () => {
  child?.kill('SIGKILL');
  child = undefined;
  await limiter?.close();
  limiter = undefined;
  node.closeAllConnections();
  await new Promise((closed) => node.close(closed));
  await rm(directory, { recursive: true });
});

async function open(flags: Readonly<Record<string, string>> = {}): Promise<RunningLimiter> {
  const sources = {
    file: undefined,
    environment: {},
    flags: {
      'listen.port': '0',
      'admin.port': '0',
      'upstream.url': nodeUrl,
      'readiness.poll-interval': '20ms',
      'drain.wait': '0',
      ...flags,
    },
  };
  const { settings } = await loadSettings(sources);
  limiter = await openLimiter({ settings, sources }, { logger: silentLogger, clock: { now: () => now } });
  return limiter;
}
const ready = async () => {
  const answer = await fetch(`${limiter!.adminUrl}/readyz`);
  const { reason } = (await answer.json()) as { reason?: string };
  return answer.ok ? 'ready' : reason;
};

describe('the limiter', () => {
  it('is ready while the node makes blocks, and says why when it is not', async () => {
    await open({ 'readiness.max-block-age': '10s' });
    await expect.poll(ready).toBe('ready');
    state.time -= 11_000;
    await expect.poll(ready).toBe('the newest block is too old');
    state.time = now;
    state.catchingUp = true;
    await expect.poll(ready).toBe('the node is catching up');
    state.catchingUp = false;
    state.isBroken = true;
    await expect.poll(ready).toContain('the node does not answer: HTTP status 500');
    state.isBroken = false;
    await expect.poll(ready).toBe('ready');
    state.height = 0;
    await expect.poll(ready).toBe('the node has no block yet');
    expect((await fetch(`${limiter!.adminUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${limiter!.adminUrl}/startupz`)).status).toBe(200);
  });

  it('ages blocks itself between two answers of the node', async () => {
    await open({ 'readiness.max-block-age': '10s', 'readiness.poll-interval': '1h' });
    await expect.poll(ready).toBe('ready');
    now += 11_000;
    expect(await ready()).toBe('the newest block is too old');
  });

  it('may be ready whatever the age of blocks, or while it catches up', async () => {
    await open({ 'readiness.max-block-age': '0', 'readiness.require-synced': 'false' });
    state.time -= 1_000_000;
    state.catchingUp = true;
    await expect.poll(ready).toBe('ready');
  });

  it('asks the node how it is without spending what a client has', async () => {
    const { url } = await open({ 'limit.burst': '3', 'limit.rate': '1' });
    await expect.poll(ready).toBe('ready');
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/status`)).status).toBe(200);
    expect((await fetch(`${url}/status`)).status).toBe(429);
  });

  it('drains when it is asked to, and may be taken back', async () => {
    const { url, adminUrl } = await open();
    await expect.poll(ready).toBe('ready');
    const begun = await fetch(`${adminUrl}/drain`, { method: 'POST' });
    expect(await begun.json()).toEqual({ draining: true, underWay: 0 });
    expect(await ready()).toBe('draining');
    const answer = await fetch(`${url}/status`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect((await fetch(`${adminUrl}/drain?wait=10ms`, { method: 'POST' })).status).toBe(200);
    const wrong = await fetch(`${adminUrl}/drain?wait=soon`, { method: 'POST' });
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      { error: 'wait = "soon" is no time up to 10m; write one such as "10s"' },
    ]);
    const page = { method: 'DELETE', headers: { origin: 'https://page.example' } };
    expect((await fetch(`${adminUrl}/drain`, page)).status).toBe(403);
    expect(await (await fetch(`${adminUrl}/drain`)).json()).toMatchObject({ draining: true });
    await fetch(`${adminUrl}/drain`, { method: 'DELETE' });
    expect(await ready()).toBe('ready');
  });

  it('prints every metric that it has', async () => {
    const { adminUrl } = await open();
    await expect.poll(ready).toBe('ready');
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    for (const line of [
      'chain_limiter_upstream_up 1',
      'chain_limiter_chain_height 7',
      'chain_limiter_ready 1',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('names what it cannot listen on, and closes what it had opened', async () => {
    const { port } = node.address() as AddressInfo;
    await expect(open({ 'listen.port': String(port) })).rejects.toMatchObject({ code: 'HTTP_CANNOT_LISTEN' });
  });
});

describe('the program', () => {
  async function start(config: string): Promise<{ records: Record<string, unknown>[]; url: string }> {
    const file = join(directory, 'limiter.toml');
    await writeFile(file, config);
    child = spawn(
      process.execPath,
      [
        'sidecars/rateLimiter/bin/chain-rate-limiter.js',
        '--config',
        file,
        '--listen.port=0',
        '--admin.port=0',
        `--upstream.url=${nodeUrl}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const records: Record<string, unknown>[] = [];
    let rest = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      records.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    });
    const running = () => records.find(({ msg }) => msg === 'Limiter is running');
    await expect.poll(running).toBeDefined();
    return { records, url: String(running()?.url) };
  }

  it('refuses calls beyond the burst, loads its file anew, and finishes what is under way when it is told to stop', async () => {
    const { records, url } = await start('[drain]\nwait = "1s"\n[limit]\nrate = 1\n');
    const calls = Array.from({ length: 60 }, async () => (await fetch(`${url}/status`)).status);
    const statuses = await Promise.all(calls);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await writeFile(
      join(directory, 'limiter.toml'),
      '[drain]\nwait = "1s"\n[limit]\nrate = 100000\nburst = 100000\n',
    );
    child!.kill('SIGHUP');
    await expect.poll(() => records.some(({ msg }) => msg === 'Configuration is loaded anew')).toBe(true);
    await expect.poll(async () => (await fetch(`${url}/status`)).status).toBe(200);
    const held = fetch(`${url}/held`);
    await expect.poll(() => release).toBeDefined();
    const exit = once(child!, 'exit');
    child!.kill('SIGTERM');
    await expect.poll(() => records.some(({ msg }) => msg === 'Limiter is draining')).toBe(true);
    // Still there for those that do not know yet.
    expect((await fetch(`${url}/status`)).status).toBe(200);
    release!();
    expect(await (await held).text()).toBe('held');
    expect(await exit).toEqual([0, null]);
  });

  it('says in one line what is wrong, and how to go on', async () => {
    const run = async (...args: readonly string[]) => {
      const program = spawn(process.execPath, ['sidecars/rateLimiter/bin/chain-rate-limiter.js', ...args]);
      let out = '';
      let err = '';
      program.stdout.on('data', (text) => {
        out += text;
      });
      program.stderr.on('data', (text) => {
        err += text;
      });
      const [code] = await once(program, 'close');
      return { code, out, err };
    };
    expect(await run('--limit.brust=3')).toEqual({
      code: 2,
      out: '',
      err: 'error: unknown option --limit.brust; did you mean limit.burst?\n',
    });
    expect(await run('chekc')).toMatchObject({
      code: 2,
      err: 'error: unknown command chekc; did you mean check?\n',
    });
    expect(await run('check', '--limit.rate=0')).toMatchObject({
      code: 1,
      err: 'error: flag: limit.rate = "0": out of range; write a number, 1 to 1000000\n',
    });
    expect((await run('check', '--limit.rate=5')).out).toContain('rate = 5\n');
    expect((await run('--help')).out).toContain('--limit.burst=20');
    expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
