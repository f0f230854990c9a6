import assert from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalnetNode } from '../../node/src/app/index.ts';
import { editAppToml, editConfigToml } from '../../node/src/config/index.ts';
import { cometCall, cometHeight } from './cometCall.ts';
import { until } from './until.ts';

const STOP_LIMIT_MS = 60_000;
const BACK_OFF_MS = 500;
const LONG_MS = 240_000;
const COMET_STARTED = '"CometBFT is started"';

/** A node of a network of real processes. */
export class NetworkNode {
  readonly name: string;
  readonly role: 'validator' | 'rpc';
  /** What peers call it. */
  readonly id: string;
  readonly home: string;
  readonly p2pPort: number;
  /** Addresses of its listeners. */
  readonly consensusRpc: string;
  readonly jsonRpc: string;
  readonly #chunks: string[] = [];
  #awaited: { readonly text: RegExp; readonly then: () => void } | undefined;
  #child: ChildProcess | undefined;
  #exit: Promise<number | null> = Promise.resolve(null);
  #keepUp = false;

  constructor({ name, role, id, home, ports }: LocalnetNode) {
    this.name = name;
    this.role = role;
    this.id = id;
    this.home = home;
    this.p2pPort = ports.p2p;
    this.consensusRpc = `http://127.0.0.1:${ports.consensusRpc}`;
    this.jsonRpc = `http://127.0.0.1:${ports.http}`;
  }

  /** Of the process that was started last. */
  get pid(): number {
    assert.ok(this.#child?.pid, `${this.name} was not started`);
    return this.#child.pid;
  }

  /** A program in front may choose its processors. */
  start(before: readonly string[] = []): void {
    const [program, ...args] = [...before, process.execPath, 'node/bin/chaind.js', 'start'];
    const child = spawn(program!, [...args, '--home', this.home, '--log-format', 'json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#exit = new Promise((ended) => child.once('exit', ended));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    }
    child.once('exit', () => {
      if (this.#keepUp) setTimeout(() => this.#keepUp && this.start(), BACK_OFF_MS);
    });
  }

  /** As a service manager does: started again whenever it ends, until it is stopped. */
  keepUp(): void {
    this.#keepUp = true;
    if (!this.#runs) this.start();
  }

  /** Its exit code, once it has ended. */
  ended(): Promise<number | null> {
    return this.#exit;
  }

  async stop(): Promise<number | null> {
    this.#keepUp = false;
    if (!this.#runs) return this.#exit;
    this.#child!.kill('SIGTERM');
    const late = setTimeout(() => this.#child!.kill('SIGKILL'), STOP_LIMIT_MS);
    const code = await this.#exit;
    clearTimeout(late);
    return code;
  }

  async kill9(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exit;
  }

  /** All that it printed, over every start. */
  output(): string {
    return this.#chunks.join('');
  }

  /** Calls back as soon as it prints what matches. */
  oncePrints(text: RegExp, then: () => void): void {
    this.#awaited = { text, then };
  }

  /** Process id of its CometBFT, as its log tells it. */
  cometPid(): number {
    const printed = this.output();
    const at = printed.lastIndexOf(COMET_STARTED);
    assert.ok(at >= 0, `${this.name} has started no CometBFT`);
    const line = printed.slice(printed.lastIndexOf('\n', at) + 1, printed.indexOf('\n', at));
    return (JSON.parse(line) as { cometPid: number }).cometPid;
  }

  /** Puts values into a settings file, by their dotted names. */
  edit(file: 'app' | 'config', values: Readonly<Record<string, unknown>>): void {
    const path = join(this.home, 'config', `${file}.toml`);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, file === 'app' ? editAppToml(text, values) : editConfigToml(text, values));
  }

  /** A call of its consensus RPC. */
  call<T>(path: string): Promise<T> {
    return cometCall<T>(this.consensusRpc, path);
  }

  async height(): Promise<number> {
    return await cometHeight(this.consensusRpc);
  }

  async appHash(height: number): Promise<string> {
    const { header } = await this.call<{ header: { app_hash: string } }>(`header?height=${height}`);
    return header.app_hash;
  }

  /** Waits for a block of this height as long as blocks come. */
  async reaches(height: number, stillMs = LONG_MS): Promise<void> {
    for (let at = 0; at < height; ) {
      const from = at;
      const further = async () => {
        const now = await this.height();
        return now > from && now;
      };
      at = await this.until(`goes on from block ${from} to ${height}`, further, stillMs);
    }
  }

  /** A longer wait than `until` has by itself; says the end of the log when it fails. */
  async until<T>(what: string, check: () => Promise<T | undefined | false>, limitMs = LONG_MS): Promise<T> {
    try {
      return await until(`${this.name} ${what}`, check, limitMs);
    } catch (error) {
      assert.fail(`${error}; it printed:\n${this.output().slice(-6000)}`);
    }
  }

  get #runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #take(chunk: string): void {
    this.#chunks.push(chunk);
    const awaited = this.#awaited;
    if (!awaited?.text.test(chunk)) return;
    this.#awaited = undefined;
    awaited.then();
  }
}
