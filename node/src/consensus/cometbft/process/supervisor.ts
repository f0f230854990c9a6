import { type ChildProcess, spawn } from 'node:child_process';
import { CodedError, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { type CometLaunch, launchArguments, launchEnvironment } from './cometLaunch.ts';
import { mergeLog } from './cometLog.ts';

export interface SupervisorOptions {
  /** The program. */
  readonly path: string;
  readonly launch: CometLaunch;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface SupervisorDeps {
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  /** The newest height: as long as it grows, CometBFT is worth another start. */
  height(): number;
  /** Before each start, such as to remove a socket that a killed process has left. */
  prepare(): Promise<void>;
  /** Told once: CometBFT ends again and again. */
  onFatal(error: CodedError): void;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Ends without a block in between, after which it is given up. */
const ATTEMPTS = 6;
const STOP_GRACE_MS = 30_000;
const LAST_LINES = 3;
const CAUSE = /^(panic|ERROR|fatal error): /;

/** Runs CometBFT as a child: starts it again after longer and longer pauses, stops it before the application stops. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #deps: SupervisorDeps;
  readonly #count: () => void;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  #attempts = 0;
  #heightAtStart = 0;
  #lastWords: string[] = [];

  constructor(options: SupervisorOptions, deps: SupervisorDeps) {
    this.#options = options;
    this.#deps = deps;
    const counter = deps.metrics?.counter({
      name: 'chain_consensus_cometbft_starts_total',
      help: 'How often CometBFT was started.',
    });
    this.#count = () => counter?.add();
  }

  async start(): Promise<void> {
    await this.#deps.prepare();
    if (this.#stopping) return;
    const { path, launch, environment } = this.#options;
    this.#heightAtStart = this.#deps.height();
    this.#lastWords = [];
    // A group of its own: Ctrl-C reaches this process alone, which then stops both in order.
    const child = spawn(path, launchArguments(launch), {
      env: { ...environment, ...launchEnvironment(launch) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    this.#count();
    for (const output of [child.stdout, child.stderr]) {
      mergeLog(output, this.#deps.logger, (line) => this.#remember(line));
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    child.once('error', (error) => this.#remember(error.message));
    child.once('close', (code, signal) => {
      this.#child = undefined;
      resolve();
      if (!this.#stopping) this.#again(code, signal);
    });
    this.#deps.logger.info('CometBFT is started', { path, cometPid: child.pid });
  }

  /** Resolves when the child is gone. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child) return;
    child.kill('SIGTERM');
    const kill = setTimeout(() => {
      this.#deps.logger.warn('CometBFT does not stop and is killed', { cometPid: child.pid });
      child.kill('SIGKILL');
    }, STOP_GRACE_MS);
    await this.#ended;
    clearTimeout(kill);
    this.#deps.logger.info('CometBFT is stopped');
  }

  /** What names the cause is not pushed out by a trace of the stack behind it. */
  #remember(line: string): void {
    if (this.#lastWords.some((word) => CAUSE.test(word))) return;
    this.#lastWords = [...this.#lastWords, line].slice(-LAST_LINES);
  }

  #again(code: number | null, signal: NodeJS.Signals | null): void {
    const grown = this.#deps.height() > this.#heightAtStart;
    this.#attempts = grown ? 1 : this.#attempts + 1;
    const how = { code: code ?? undefined, signal: signal ?? undefined };
    if (this.#attempts >= ATTEMPTS) {
      this.#stopping = true;
      this.#deps.onFatal(endsAgain(this.#attempts, this.#lastWords));
      return;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#attempts - 1), MAX_PAUSE_MS);
    this.#deps.logger.warn('CometBFT has ended and is started again', { ...how, pauseMs });
    this.#timer = setTimeout(() => {
      this.start().catch((error: unknown) => {
        this.#remember(String(error));
        this.#again(null, null);
      });
    }, pauseMs);
  }
}

function endsAgain(attempts: number, lastWords: readonly string[]): CodedError {
  const words = lastWords.join(' | ').slice(0, 1000) || 'nothing';
  return new CodedError(
    'CONSENSUS_COMETBFT_ENDS',
    `CometBFT has ended ${attempts} times without a new block; its last words: ${words}`,
    { fields: { attempts } },
  );
}
