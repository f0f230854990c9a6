import assert from 'node:assert';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCometbft, COMETBFT_PROGRAM } from '../../scripts/buildCometbft.ts';
import { freePort } from './freePort.ts';
import { until } from './until.ts';

/** A busy machine starts programs slowly. */
const PATIENCE_MS = 120_000;

/** A process of CometBFT's, and where its RPC listens. */
export interface CometProcess {
  readonly url: string;
  readonly pid: number;
  output(): string;
  stop(): Promise<void>;
}

/** Builds the real CometBFT once; says why it is not there, or `undefined` when it is. */
export const missingCometbft = buildCometbft;

/** One that others can connect to, as `id@host:port`. */
export interface CometPeer extends CometProcess {
  readonly p2p: string;
}

/** A CometBFT node with the key-value application, and a block every 100 ms. */
export function startKvstore(home: string, commitTimeoutMs = 100): Promise<CometPeer> {
  return startCometbft(home, 'kvstore', commitTimeoutMs);
}

/** A CometBFT node of one validator with the application at this address, and a block every 100 ms. */
export async function startCometbft(
  home: string,
  application: string,
  commitTimeoutMs = 100,
): Promise<CometPeer> {
  execFileSync(COMETBFT_PROGRAM, ['init', '--home', home], { stdio: 'ignore' });
  return runNode(home, application, (config) =>
    config.replace(/^timeout_commit = .*/m, `timeout_commit = "${commitTimeoutMs}ms"`),
  );
}

/** Another node of a network with the key-value application; it has no vote. */
export async function joinKvstore(
  home: string,
  first: { readonly home: string; readonly p2p: string },
): Promise<CometPeer> {
  execFileSync(COMETBFT_PROGRAM, ['init', '--home', home], { stdio: 'ignore' });
  copyFileSync(join(first.home, 'config/genesis.json'), join(home, 'config/genesis.json'));
  return runNode(home, 'kvstore', (config) =>
    config.replace(/^persistent_peers = .*/m, `persistent_peers = "${first.p2p}"`),
  );
}

async function runNode(
  home: string,
  application: string,
  change: (config: string) => string,
): Promise<CometPeer> {
  const [port, p2pPort] = [await freePort(), await freePort()];
  const file = join(home, 'config', 'config.toml');
  const config = readFileSync(file, 'utf8')
    .replace(/(\n\[rpc\].*?\nladdr = )"[^"]*"/s, `$1"tcp://127.0.0.1:${port}"`)
    .replace(/(\n\[p2p\].*?\nladdr = )"[^"]*"/s, `$1"tcp://127.0.0.1:${p2pPort}"`)
    .replace('addr_book_strict = true', 'addr_book_strict = false')
    .replace(/^max_body_bytes = .*/m, 'max_body_bytes = 4000000');
  writeFileSync(file, change(config));
  const id = execFileSync(COMETBFT_PROGRAM, ['show-node-id', '--home', home], { encoding: 'utf8' }).trim();
  const started = await running(`http://127.0.0.1:${port}`, [
    'node',
    '--home',
    home,
    '--proxy_app',
    application,
  ]);
  return { ...started, p2p: `${id}@127.0.0.1:${p2pPort}` };
}

export interface LightOptions {
  readonly home: string;
  readonly chainId: string;
  readonly primary: string;
  readonly witness: string;
  /** What is trusted to begin with; hex. */
  readonly trusted: { readonly height: number; readonly hash: string };
}

/** CometBFT's light client: an RPC proxy that answers only what it has verified. */
export async function startLight(options: LightOptions): Promise<CometProcess> {
  const { home, chainId, primary, witness, trusted } = options;
  const port = await freePort();
  const tcp = (url: string) => url.replace('http://', 'tcp://');
  return running(`http://127.0.0.1:${port}`, [
    'light',
    chainId,
    '--home-dir',
    home,
    '--laddr',
    `tcp://127.0.0.1:${port}`,
    '--primary',
    tcp(primary),
    '--witnesses',
    tcp(witness),
    '--height',
    String(trusted.height),
    '--hash',
    trusted.hash,
  ]);
}

async function running(url: string, args: readonly string[]): Promise<CometProcess> {
  const child = spawn(COMETBFT_PROGRAM, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  const stop = () => end(child);
  try {
    const isUp = async () => (await fetch(`${url}/health`)).ok;
    await until(`cometbft ${args[0]} answers`, isUp, PATIENCE_MS);
  } catch (error) {
    await stop();
    assert.fail(`${error}; it printed:\n${chunks.join('')}`);
  }
  return { url, pid: child.pid!, output: () => chunks.join(''), stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await exited;
}
