import assert from 'node:assert';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../support/freePort.ts';

/** A running peer node to compare with. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const GETH = resolve('node_modules/.cache/geth/bin/geth');

/** Our own node, as `npm start` runs it, with a home of its own. */
export async function startChaind(...flags: string[]): Promise<Peer> {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'chaind-'));
  const ports = ['--port', port, '--ws-port', 0, '--consensus-port', 0, '--admin-port', 0].map(String);
  const any = '127.0.0.1:0';
  ports.push('--grpc-address', any, '--rest-address', any);
  const args = ['node/bin/chaind.js', 'dev', '--home', join(home, 'home'), ...ports, ...flags];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const peer = await ready('chaind', port, child);
  return {
    ...peer,
    stop: async () => {
      await peer.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function startAnvil(...flags: string[]): Promise<Peer> {
  const port = await freePort();
  const child = spawn('node_modules/.bin/anvil', ['--port', String(port), '--silent', ...flags], {
    stdio: 'ignore',
  });
  return ready('anvil', port, child);
}

export interface GethOptions {
  /** In place of the developer mode's own; with it geth makes no blocks. */
  readonly genesis?: unknown;
  /** Whether to build geth when it is not there; minutes. */
  readonly build?: boolean;
  /** More of geth's flags. */
  readonly flags?: readonly string[];
}

/** geth in developer mode; built once from the Go module proxy, `undefined` where it is not and cannot be. */
export async function startGeth({
  genesis,
  build = true,
  flags: more = [],
}: GethOptions = {}): Promise<Peer | undefined> {
  if (!existsSync(GETH) && !(build && buildGeth())) return undefined;
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'geth-'));
  if (genesis !== undefined) initGeth(home, genesis);
  const flags = [
    ...(genesis === undefined ? ['--dev'] : ['--maxpeers', '0']),
    '--datadir',
    home,
    '--http',
    '--http.port',
    String(port),
    '--http.api',
    'eth,net,web3,debug',
    '--port',
    '0',
    '--nodiscover',
    '--ipcdisable',
    '--authrpc.port',
    String(await freePort()),
    ...more,
  ];
  const child = spawn(GETH, flags, { stdio: 'ignore' });
  const peer = await ready('geth dev', port, child);
  return {
    ...peer,
    stop: async () => {
      await peer.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function initGeth(home: string, genesis: unknown): void {
  const file = join(home, 'genesis.json');
  writeFileSync(file, JSON.stringify(genesis));
  execFileSync(GETH, ['init', '--datadir', home, file], { stdio: 'ignore' });
}

function buildGeth(): boolean {
  mkdirSync(resolve('node_modules/.cache/geth/bin'), { recursive: true });
  try {
    console.log('  building geth (once, some minutes)');
    execFileSync('go', ['install', 'github.com/ethereum/go-ethereum/cmd/geth@v1.16.7'], {
      env: { ...process.env, GOBIN: resolve('node_modules/.cache/geth/bin') },
      stdio: 'ignore',
    });
    return true;
  } catch {
    console.log('  geth could not be built (is Go installed?); its rows are left out');
    return false;
  }
}

async function ready(name: string, port: number, child: ChildProcess): Promise<Peer> {
  const url = `http://127.0.0.1:${port}`;
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  // A benchmark that fails leaves nothing behind.
  const kill = () => child.kill();
  process.once('exit', kill);
  const deadline = Date.now() + 120_000;
  while (!(await answers(url))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill();
      assert.fail(`${name} did not answer on ${url}`);
    }
  }
  return {
    name,
    url,
    pid: child.pid!,
    stop: async () => {
      process.off('exit', kill);
      child.kill();
      await exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return response.ok;
  } catch {
    await new Promise((retry) => setTimeout(retry, 50));
    return false;
  }
}
