import assert from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalnetOptions, makeLocalnet, type PlannedNode } from '../../node/src/app/index.ts';
import { editAppToml, editConfigToml } from '../../node/src/config/index.ts';
import { COMETBFT_PROGRAM } from '../../scripts/buildCometbft.ts';
import { until } from './until.ts';

/** One node of a network of real processes. */
export interface NetworkNode {
  readonly home: string;
  readonly jsonRpc: string;
  readonly consensusRpc: string;
  /** Of the process that runs now. */
  readonly pid: number | undefined;
  /** All that it printed, over every start. */
  output(): string;
  /** Calls back as soon as it prints what matches. */
  oncePrints(text: RegExp, then: () => void): void;
  /** Process id of its CometBFT, as its log tells it. */
  cometPid(): number;
  edit(file: 'app' | 'config', values: Readonly<Record<string, unknown>>): void;
  start(): void;
  /** As a service manager does: started again whenever it ends, until it is stopped. */
  keepUp(): void;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

export interface Network {
  readonly directory: string;
  readonly validators: readonly NetworkNode[];
  readonly rpcs: readonly NetworkNode[];
  close(): Promise<void>;
}

/** Makes a network's homes on ports that are free now; nothing runs yet. */
export async function makeNetwork(wish: Partial<LocalnetOptions>): Promise<Network> {
  const root = mkdtempSync(join(tmpdir(), 'network-'));
  const directory = join(root, 'net');
  const count = (wish.validators ?? 2) + (wish.rpcNodes ?? 1);
  const { nodes } = await makeLocalnet({
    directory,
    validators: 2,
    rpcNodes: 1,
    basePort: await freeRange(10 * count),
    chainId: 'network-1',
    evmChainId: 713_714n,
    split: false,
    blockTimeMs: 1000,
    snapshotInterval: 30,
    cometbft: COMETBFT_PROGRAM,
    fresh: true,
    ...wish,
  });
  const all = nodes.map((node) => ({ role: node.role, node: new NodeOfNetwork(node) }));
  return {
    directory,
    validators: all.flatMap(({ role, node }) => (role === 'validator' ? [node] : [])),
    rpcs: all.flatMap(({ role, node }) => (role === 'rpc' ? [node] : [])),
    close: async () => {
      await Promise.all(all.map(({ node }) => node.stop()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

class NodeOfNetwork implements NetworkNode {
  readonly home: string;
  readonly jsonRpc: string;
  readonly consensusRpc: string;
  #child: ChildProcess | undefined;
  #keepUp = false;
  #chunks: string[] = [];
  #awaited: { readonly text: RegExp; readonly then: () => void } | undefined;

  constructor({ home, ports }: PlannedNode) {
    this.home = home;
    this.jsonRpc = `http://127.0.0.1:${ports.http}`;
    this.consensusRpc = `http://127.0.0.1:${ports.consensusRpc}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  output(): string {
    return this.#chunks.join('');
  }

  oncePrints(text: RegExp, then: () => void): void {
    this.#awaited = { text, then };
  }

  cometPid(): number {
    const [, pid] = /.*"cometPid":(\d+).*"CometBFT is started"/s.exec(this.output()) ?? [];
    assert.ok(pid, `${this.home} has started no CometBFT`);
    return Number(pid);
  }

  edit(file: 'app' | 'config', values: Readonly<Record<string, unknown>>): void {
    const path = join(this.home, 'config', `${file}.toml`);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, file === 'app' ? editAppToml(text, values) : editConfigToml(text, values));
  }

  start(): void {
    const command = ['node/bin/chaind.js', 'start', '--home', this.home, '--log-format', 'json'];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.#chunks.push(chunk);
        const awaited = this.#awaited;
        if (!awaited?.text.test(chunk)) return;
        this.#awaited = undefined;
        awaited.then();
      });
    }
    child.once('exit', () => {
      this.#child = undefined;
      if (this.#keepUp) setTimeout(() => this.#keepUp && this.start(), 500);
    });
  }

  keepUp(): void {
    this.#keepUp = true;
    if (!this.#child) this.start();
  }

  async stop(): Promise<void> {
    this.#keepUp = false;
    const child = this.#child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await gone;
    clearTimeout(late);
  }

  async kill9(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** The first of so many ports in a row that nobody listens on now, below those that the system hands out. */
async function freeRange(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = 20_000 + Math.floor(Math.random() * 1000) * 10;
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)));
    if (free.every(Boolean)) return first;
  }
  assert.fail(`no ${count} free ports in a row`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => resolve(true));
  const free = await promise;
  if (free) await new Promise((closed) => server.close(closed));
  return free;
}

/** A call of CometBFT's RPC. */
export async function cometCall<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(10_000) });
  const { result, error } = (await response.json()) as {
    result?: T;
    error?: { data?: string; message: string };
  };
  if (result === undefined) assert.fail(`${url}/${path}: ${error?.message} ${error?.data ?? ''}`);
  return result;
}

export async function networkHeight(url: string): Promise<number> {
  const { sync_info } = await cometCall<{ sync_info: { latest_block_height: string } }>(url, 'status');
  return Number(sync_info.latest_block_height);
}

const LONG_MS = 240_000;

/** A longer wait than `until` has by default; says the end of the node's log when it fails. */
export async function untilOf<T>(
  node: NetworkNode,
  what: string,
  check: () => Promise<T | undefined | false>,
): Promise<T> {
  try {
    return await until(what, check, LONG_MS);
  } catch (error) {
    assert.fail(`${error}; ${node.home} printed:\n${node.output().slice(-6000)}`);
  }
}
