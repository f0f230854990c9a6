import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';

/** `npm run test:soak` makes it ten minutes. */
const SECONDS = Number(process.env.LIMITER_SOAK_SECONDS ?? 1);
const MAX_CLIENTS = 500;

let node: Server;
let limiter: ChildProcess;
afterEach(() => {
  limiter?.kill('SIGKILL');
  node?.closeAllConnections();
  node?.close();
});

it('keeps its memory under a stream of ever new clients', async () => {
  node = createServer((_request, response) => response.end('{}'));
  const upstream = await listening(node);
  const port = await unusedPort();
  limiter = spawn(
    process.execPath,
    [
      'sidecars/rateLimiter/bin/chain-rate-limiter.js',
      `--listen.port=${port}`,
      '--admin.port=0',
      `--upstream.url=http://127.0.0.1:${upstream}`,
      '--clients.trusted-proxies=127.0.0.1',
      `--limit.max-clients=${MAX_CLIENTS}`,
      '--log.level=silent',
    ],
    { stdio: 'ignore' },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  await expect.poll(() => ask(port, agent, '10.0.0.1').catch(() => 0), { timeout: 120_000 }).toBe(200);
  let asked = 0;
  /** So long, and until so many have come. */
  const flood = async (until: number, clients: number): Promise<void> => {
    const worker = async (): Promise<void> => {
      while (performance.now() < until || asked < 2 * clients) {
        asked++;
        // Every client comes twice and never again.
        const client = asked >> 1;
        await ask(
          port,
          agent,
          `${1 + (client >> 24)}.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
        );
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  };
  const begin = performance.now();
  // Until code is compiled and the heap has its size.
  await flood(begin + (SECONDS * 1000) / 2, MAX_CLIENTS);
  const settled = residentMib();
  await flood(begin + SECONDS * 1000, 2 * MAX_CLIENTS);
  agent.destroy();
  expect(residentMib()).toBeLessThan(settled * 1.3 + 20);
});

function residentMib(): number {
  const status = readFileSync(`/proc/${limiter.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function ask(port: number, agent: Agent, client: string): Promise<number> {
  return new Promise((done, failed) => {
    const headers = { 'x-forwarded-for': client };
    request({ host: '127.0.0.1', port, path: '/health', agent, headers }, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
    })
      .once('error', failed)
      .end();
  });
}

function listening(server: Server): Promise<number> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
  });
}

async function unusedPort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
