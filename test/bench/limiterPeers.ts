import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../support/debianPackage.ts';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';
import type { Peer } from './peers.ts';

/** How a proxy limits: `undefined` is so generous that nobody is refused. */
export interface Rule {
  readonly rate: number;
  readonly burst: number;
}

/** chain-rate-limiter as it is run, in front of `upstream`. */
export async function startLimiter(upstream: string, rule?: Rule): Promise<Peer> {
  const port = await freePort();
  const { rate, burst } = rule ?? { rate: 1_000_000, burst: 1_000_000 };
  const child = spawn(
    process.execPath,
    [
      'sidecars/rateLimiter/bin/chain-rate-limiter.js',
      `--listen.port=${port}`,
      '--admin.port=0',
      `--upstream.url=${upstream}`,
      `--limit.rate=${rate}`,
      `--limit.burst=${burst}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  return ready({ name: 'chain-rate-limiter', url: `http://127.0.0.1:${port}`, pid: child.pid! }, async () => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  });
}

/** Debian's nginx with `limit_req`; `undefined` where it is not installed and cannot be. Its burst does not count the first. */
export async function startNginx(upstream: string, rule?: Rule): Promise<Peer | undefined> {
  if (!hasNginx()) return undefined;
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'nginx-'));
  const { rate, burst } = rule ?? { rate: 1_000_000, burst: 1_000_000 };
  writeFileSync(
    join(directory, 'nginx.conf'),
    `worker_processes 1; daemon off; error_log /dev/null crit; pid ${directory}/pid;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  limit_req_zone $binary_remote_addr zone=clients:10m rate=${rate}r/s;
  upstream node { server ${new URL(upstream).host}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      limit_req zone=clients burst=${burst - 1} nodelay; limit_req_status 429;
      proxy_pass http://node; proxy_http_version 1.1; proxy_set_header Connection "";
    }
  }
}
`,
  );
  const child = spawn('nginx', ['-c', join(directory, 'nginx.conf'), '-p', directory], { stdio: 'ignore' });
  const worker = await until('nginx has a worker', async () => workerOf(child.pid!));
  return ready({ name: 'nginx limit_req', url: `http://127.0.0.1:${port}`, pid: worker }, async () => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
    rmSync(directory, { recursive: true, force: true });
  });
}

function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0 || installPackage('nginx-light') === undefined;
}

function workerOf(parent: number): number | undefined {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return children === '' ? undefined : Number(children.split(' ')[0]);
}

async function ready(peer: Omit<Peer, 'stop'>, stop: () => Promise<void>): Promise<Peer> {
  await until(
    `${peer.name} answers`,
    async () => (await fetch(peer.url, { method: 'POST', body: '[]' })).status > 0,
  );
  return { ...peer, stop };
}
