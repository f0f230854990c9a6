import assert from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { until } from './until.ts';

export interface DevNodeOptions {
  readonly home: string;
  readonly split?: boolean;
  readonly blockTimeMs?: number;
  readonly args?: readonly string[];
  /** Beside the test's own environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A `chaind dev` process of a test. */
export interface DevNode {
  readonly url: string;
  /** JSON-RPC over WebSocket. */
  readonly wsUrl: string;
  /** CometBFT's RPC. */
  readonly consensusUrl: string;
  /** Host and port. */
  readonly grpcAddress: string;
  readonly restUrl: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** All that it printed so far, both streams. */
  output(): string;
  /** Its exit code, once it has ended; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Ends it without a word, as a crash would. */
  kill9(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the real program and kills it `afterMs` later, wherever its recovery then is. */
export async function killDuringStart(options: DevNodeOptions, afterMs: number): Promise<void> {
  const { child, exited } = spawnDevNode(options);
  await new Promise((moment) => setTimeout(moment, afterMs));
  child.kill('SIGKILL');
  await exited;
}

function spawnDevNode(options: DevNodeOptions) {
  const flags = [
    ...(options.split ? ['--split'] : []),
    ...(options.blockTimeMs === undefined ? [] : ['--block-time', String(options.blockTimeMs)]),
    ...(options.args ?? []),
  ];
  const command = [
    'node/bin/chaind.js',
    'dev',
    '--home',
    options.home,
    '--port',
    '0',
    '--ws-port',
    '0',
    '--consensus-port',
    '0',
    '--admin-port',
    '0',
    '--grpc-address',
    '127.0.0.1:0',
    '--rest-address',
    '127.0.0.1:0',
    // A thread that a call waits for starts slowly on a busy machine.
    '--set',
    'evm.write_timeout=5m',
    ...flags,
  ];
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  const printed = collect(child);
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  return { child, printed, exited };
}

/** A start with blocks to replay, on a machine that is busy with other work; `npm run test:soak` waits longer. */
const START_MS = Number(process.env.PROGRAM_PATIENCE_MS ?? 120_000);

/** What `chaind dev` prints once everything listens. The system chose the ports. */
const LISTENING =
  /^JSON-RPC {2}(\S+)\nWebSocket (\S+)\nConsensus (\S+)\ngRPC {6}(\S+)\nREST {6}(\S+)\nAdmin {5}(\S+)\/metrics$/m;

/** Starts the real program and waits until it listens. Fails with its output when it exits instead. */
export async function startDevNode(options: DevNodeOptions): Promise<DevNode> {
  const { child, printed, exited } = spawnDevNode(options);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const listening = await until(
    'the node listens',
    async () => LISTENING.exec(printed()) ?? (hasEnded() && 'ended'),
    START_MS,
  ).catch(String);
  if (typeof listening === 'string') {
    child.kill('SIGKILL');
    assert.fail(
      `chaind dev does not listen (${listening}, exit code ${child.exitCode}); it printed:\n${printed()}`,
    );
  }
  const [, url = '', wsUrl = '', consensusUrl = '', grpcAddress = '', restUrl = '', adminUrl = ''] =
    listening;
  return {
    url,
    wsUrl,
    consensusUrl,
    grpcAddress,
    restUrl,
    adminUrl,
    pid: child.pid!,
    output: printed,
    exited,
    kill9: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

function collect(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  return () => chunks.join('');
}
