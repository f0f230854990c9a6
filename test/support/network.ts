import assert from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMETBFT_PROGRAM } from '../../scripts/buildCometbft.ts';
import { chaind, logRecords } from './chaind.ts';
import { type CuttableLink, openLink } from './cuttableLink.ts';
import { freePort } from './freePort.ts';
import { until } from './until.ts';

interface Planned {
  readonly name: string;
  readonly id: string;
  readonly home: string;
  readonly ports: Readonly<Record<'p2p' | 'consensusRpc' | 'http', number>>;
}

export interface NetworkOptions {
  readonly directory: string;
  readonly validators: number;
  readonly rpc: number;
  readonly split: boolean;
  readonly blockTimeMs: number;
  readonly snapshotInterval?: number;
}

/** A process of one node's; a program in front of it may choose its processors. */
export class NetworkNode {
  readonly name: string;
  /** What peers call it. */
  readonly id: string;
  readonly home: string;
  /** Where its consensus RPC and its JSON-RPC listen. */
  readonly consensusUrl: string;
  readonly rpcUrl: string;
  readonly p2pPort: number;
  #child: ChildProcess | undefined;
  #exit: Promise<number | null> = Promise.resolve(null);

  constructor({ name, id, home, ports }: Planned) {
    this.name = name;
    this.id = id;
    this.home = home;
    this.consensusUrl = `http://127.0.0.1:${ports.consensusRpc}`;
    this.rpcUrl = `http://127.0.0.1:${ports.http}`;
    this.p2pPort = ports.p2p;
  }

  /** Of the process that was started last. */
  get pid(): number {
    assert.ok(this.#child?.pid, `${this.name} was not started`);
    return this.#child.pid;
  }

  get logFile(): string {
    return `${this.home}.log`;
  }

  start(before: readonly string[] = []): void {
    const log = openSync(this.logFile, 'a');
    const [program, ...args] = [...before, process.execPath, 'node/bin/chaind.js', 'start'];
    const child = spawn(program!, [...args, '--home', this.home], { stdio: ['ignore', log, log] });
    this.#child = child;
    this.#exit = new Promise((ended) => child.once('exit', ended));
  }

  /** Its exit code, once it has ended. */
  ended(): Promise<number | null> {
    return this.#exit;
  }

  async stop(): Promise<number | null> {
    this.#child?.kill('SIGTERM');
    return this.#exit;
  }

  async kill9(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exit;
  }

  /** Process id of its CometBFT, as the log tells it. */
  cometPid(): number {
    const started = logRecords(readFileSync(this.logFile, 'utf8')).filter(
      ({ msg }) => msg === 'CometBFT is started',
    );
    const pid = started.at(-1)?.cometPid;
    assert.ok(typeof pid === 'number', `${this.name} has started no CometBFT`);
    return pid;
  }

  async call<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.consensusUrl}/${path}`);
    const { result, error } = (await answer.json()) as { result: T; error?: { data: string } };
    assert.ok(!error, `${this.name}/${path}: ${error?.data}`);
    return result;
  }

  async height(): Promise<number> {
    const { sync_info: info } = await this.call<{ sync_info: { latest_block_height: string } }>('status');
    return Number(info.latest_block_height);
  }

  async appHash(height: number): Promise<string> {
    const { header } = await this.call<{ header: { app_hash: string } }>(`header?height=${height}`);
    return header.app_hash;
  }

  /** Waits for a block of this height as long as blocks come; fails with the end of the log. */
  async reaches(height: number, stillMs = 120_000): Promise<void> {
    for (let at = 0; at < height; ) {
      const from = at;
      at = await until(
        `${this.name} goes on from block ${from} to ${height}`,
        async () => {
          const now = await this.height();
          return now > from && now;
        },
        stillMs,
      ).catch((error: unknown) => {
        const lines = readFileSync(this.logFile, 'utf8').split('\n').slice(-25);
        assert.fail(`${error}\n${lines.join('\n')}`);
      });
    }
  }

  /** Puts values into a configuration file: `key = value` lines, where the keys are. */
  configure(
    file: 'app.toml' | 'config.toml',
    values: Readonly<Record<string, string | number | boolean>>,
  ): void {
    const path = join(this.home, 'config', file);
    let text = readFileSync(path, 'utf8');
    for (const [key, value] of Object.entries(values)) {
      const line = new RegExp(`^${key} = .*$`, 'm');
      assert.match(text, line);
      text = text.replace(line, `${key} = ${JSON.stringify(value)}`);
    }
    writeFileSync(path, text);
  }
}

/** A network whose nodes know each other through links that can be cut. */
export class TestNetwork {
  readonly nodes: readonly NetworkNode[];
  /** Between two nodes: the one with the lower index dials. */
  readonly #links: { readonly ends: readonly [number, number]; readonly link: CuttableLink }[] = [];

  private constructor(nodes: readonly NetworkNode[]) {
    this.nodes = nodes;
  }

  static async make(options: NetworkOptions): Promise<TestNetwork> {
    const { directory, validators, rpc, split, blockTimeMs, snapshotInterval = 0 } = options;
    const made = await chaind(
      ...['localnet', '--init-only', '--directory', directory, '--cometbft', COMETBFT_PROGRAM],
      ...['--validators', `${validators}`, '--rpc', `${rpc}`, '--block-time', `${blockTimeMs}`],
      ...['--base-port', `${await freeRange()}`, '--snapshot-interval', `${snapshotInterval}`],
      ...(split ? ['--split'] : []),
    );
    assert.strictEqual(made.code, 0, made.err);
    const file = JSON.parse(readFileSync(join(directory, 'localnet.json'), 'utf8')) as { nodes: Planned[] };
    const network = new TestNetwork(file.nodes.map((planned) => new NetworkNode(planned)));
    await network.#connect();
    return network;
  }

  node(name: string): NetworkNode {
    const found = this.nodes.find((node) => node.name === name);
    assert.ok(found, `no node ${name}`);
    return found;
  }

  /** Cuts every link between one of these and one of the others. */
  isolate(...names: readonly string[]): void {
    const inside = (index: number): boolean => names.includes(this.nodes[index]!.name);
    for (const { ends, link } of this.#links) if (inside(ends[0]) !== inside(ends[1])) link.cut();
  }

  heal(): void {
    for (const { link } of this.#links) link.heal();
  }

  /** Fails unless all of these have the same app hash in this block. */
  async agree(height: number, nodes: readonly NetworkNode[] = this.nodes): Promise<void> {
    for (const node of nodes) await node.reaches(height);
    const hashes = await Promise.all(nodes.map((node) => node.appHash(height)));
    assert.deepStrictEqual(
      hashes,
      nodes.map(() => hashes[0]),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    await Promise.all(this.#links.map(({ link }) => link.close()));
  }

  async #connect(): Promise<void> {
    const peers = this.nodes.map(() => [] as string[]);
    for (const [i] of this.nodes.entries()) {
      for (const [j, peer] of this.nodes.entries()) {
        if (i >= j) continue;
        const link = await openLink(peer.p2pPort);
        this.#links.push({ ends: [i, j], link });
        peers[i]!.push(`${peer.id}@127.0.0.1:${link.port}`);
      }
    }
    for (const [i, node] of this.nodes.entries()) {
      node.configure('config.toml', { persistent_peers: peers[i]!.join(',') });
      const path = join(node.home, 'config/config.toml');
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^pex = true$/m, 'pex = false'));
    }
  }
}

/** The first of a hundred ports that nobody has now: below those that the system hands out. */
async function freeRange(): Promise<number> {
  return 20_000 + ((await freePort()) % 120) * 100;
}
